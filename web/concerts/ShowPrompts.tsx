import { useQueryClient } from '@tanstack/react-query'
import type { Me } from '../../worker/contract/auth'
import { isEmail } from '../../worker/contract/credential-rules'
import { sessionQuery } from '../auth/auth.queries'
import { CHECK_EMAIL } from '../newsletter/subscribe'
import { useTurnstile } from '../turnstile/useTurnstile'
import { Button, buttonClass } from '../ui/Button'
import { toast } from '../ui/toast'
import { useCityRequest, useShowAlert } from './concerts.queries'

/** Lets two buttons fit side by side on a phone. */
const compactButtonClass = 'max-xs:grow max-xs:px-3! max-xs:tracking-normal max-xs:[font-stretch:100%]'

/** Show alerts and city requests, entered in a browser prompt. */
export function ShowPrompts() {
  const turnstile = useTurnstile('show_alert')
  const requestAlert = useShowAlert(turnstile)
  const requestCity = useCityRequest()
  const queryClient = useQueryClient()

  function promptAndSend(
    question: string,
    mutation: typeof requestAlert,
    successToast: (entry: string) => { title: string; text: string },
  ) {
    if (mutation.isPending) return
    const entry = promptEntry(window.prompt(question))
    if (entry === null) return
    mutation.mutate(entry, {
      onSuccess: () => toast(successToast(entry)),
      onError: ({ message }) => toast({ title: 'That was not saved', text: message, tone: 'destructive' }),
    })
  }

  return (
    <div className="flex flex-wrap gap-3 max-xs:w-full">
      <Button
        className={compactButtonClass}
        aria-disabled={requestAlert.isPending || undefined}
        onClick={() =>
          promptAndSend('Your email address, for alerts about new shows:', requestAlert, (entry) => ({
            title: 'Show alerts',
            text: isEmail(entry)
              ? `Thank you. Your show alert is set. ${CHECK_EMAIL}`
              : 'Thank you. Your show alert is set.',
          }))
        }
      >
        Get Show Alerts
      </Button>
      <Button
        className={compactButtonClass}
        aria-disabled={requestCity.isPending || undefined}
        onClick={() =>
          promptAndSend('Which city should we play next?', requestCity, () => ({
            title: 'City requested',
            text: cityRequestThanks(queryClient.getQueryData(sessionQuery.queryKey)),
          }))
        }
      >
        Request a City
      </Button>
      {turnstile.widget}
    </div>
  )
}

/** Only requests of confirmed accounts are counted. */
function cityRequestThanks(me: Me | null | undefined): string {
  const thanks = `Thank you. Your request is ${me?.emailVerified ? 'counted' : 'saved'}.`
  return me?.email ? `${thanks} Want to hear about shows there? Check your inbox to confirm.` : thanks
}

/** The worker's limit, in UTF-16 code units. */
const MAX_ENTRY_LENGTH = 200

/** The text of a browser prompt, cut to the worker's limit; null if canceled or empty. */
function promptEntry(typed: string | null): string | null {
  // The cut may leave half a surrogate pair, which the worker rejects.
  const entry = (typed ?? '')
    .trim()
    .slice(0, MAX_ENTRY_LENGTH)
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
