import { useQueryClient } from '@tanstack/react-query'
import { EMAIL_PATTERN } from '../../worker/contract/credential-rules'
import { authStatus } from '../auth/auth.queries'
import { CHECK_EMAIL } from '../newsletter/subscribe'
import { useTurnstile } from '../turnstile/useTurnstile'
import { Button, buttonClass } from '../ui/Button'
import { toast } from '../ui/toast'
import { useCityRequest, useShowAlert } from './concerts.queries'

/** Two buttons fit beside each other on a phone. */
const buttonSize = 'max-xs:grow max-xs:px-3! max-xs:tracking-normal max-xs:[font-stretch:100%]'

/** Show alerts and city requests, entered in a browser prompt. */
export function ShowPrompts() {
  const turnstile = useTurnstile('show_alert')
  const alert = useShowAlert(turnstile)
  const city = useCityRequest()
  const queryClient = useQueryClient()

  function promptAndSend(
    question: string,
    send: typeof alert,
    thanks: (entry: string) => { title: string; text: string },
  ) {
    if (send.isPending) return
    const entry = promptEntry(window.prompt(question))
    if (entry === null) return
    send.mutate(entry, {
      onSuccess: () => toast(thanks(entry)),
      onError: ({ message }) => toast({ title: 'That was not saved', text: message, tone: 'destructive' }),
    })
  }

  return (
    <div className="flex flex-wrap gap-3 max-xs:w-full">
      <Button
        className={buttonSize}
        aria-disabled={alert.isPending || undefined}
        onClick={() =>
          promptAndSend('Your email address, for alerts about new shows:', alert, (entry) => ({
            title: 'Show alerts',
            text: EMAIL_PATTERN.test(entry)
              ? `Thank you. Your show alert is set. ${CHECK_EMAIL}`
              : 'Thank you. Your show alert is set.',
          }))
        }
      >
        Get Show Alerts
      </Button>
      <Button
        className={buttonSize}
        aria-disabled={city.isPending || undefined}
        onClick={() =>
          promptAndSend('Which city should we play next?', city, () => ({
            title: 'City requested',
            text: queryClient.getQueryData(authStatus.queryKey)?.email
              ? 'Thank you. Your request is counted. Want to hear about shows there? Check your inbox to confirm.'
              : 'Thank you. Your request is counted.',
          }))
        }
      >
        Request a City
      </Button>
      {turnstile.widget}
    </div>
  )
}

/** The worker's limit, in UTF-16 units. */
const MAX_LENGTH = 200

/** The text of a browser prompt, cut to the worker's limit; null if cancelled or empty. */
function promptEntry(typed: string | null): string | null {
  // The worker rejects half a surrogate pair.
  const entry = (typed ?? '')
    .trim()
    .slice(0, MAX_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim()
  return entry === '' ? null : entry
}

/** Show alerts, city requests and the calendar subscription. */
export function ShowRequests() {
  return (
    <div className="mt-8 flex flex-wrap items-center gap-3 max-xs:grid">
      <ShowPrompts />
      <a href="/shows.ics" className={buttonClass('text', 'xs:-ml-3')}>
        All shows in your calendar
      </a>
    </div>
  )
}
