import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MyNewsletter } from '../../worker/contract/newsletter'
import { SettingsSection } from '../auth/SettingsSection'
import { useTurnstile } from '../turnstile/useTurnstile'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { CHECK_EMAIL, myNewsletter, useSubscribe, useUnsubscribeMe } from './newsletter.queries'

/** The account's newsletter subscription. */
export function NewsletterSettings({ email }: { email: string }) {
  return (
    <SettingsSection title="Newsletter">
      <QueryBoundary
        query={useQuery(myNewsletter)}
        loading={{ className: 'h-24', label: 'Fetching what you get' }}
        error="What you get could not be fetched."
      >
        {(newsletter) => <NewsletterSwitch email={email} newsletter={newsletter} />}
      </QueryBoundary>
    </SettingsSection>
  )
}

const BOUNCED = 'Mail to your address came back to us as undeliverable, so nothing of our list is sent to it.'
const DAILY_LIMIT = 'We have mailed your address as often as we do in a day. Come back tomorrow to join.'
const CONFIRMATION_PENDING = 'A mail with a button waits for you. Press it, and you are on our list.'

function NewsletterSwitch({ email, newsletter }: { email: string; newsletter: MyNewsletter }) {
  const { state, canAsk, city, preferences } = newsletter
  const queries = useQueryClient()
  const turnstile = useTurnstile('newsletter')
  const subscribe = useSubscribe(turnstile)
  const unsubscribe = useUnsubscribeMe()
  const onSubscribe = () =>
    subscribe.mutate(email, {
      onSuccess: async ({ pointsEarned }) => {
        // The response is the same for every address; only the account's state shows whether an email was sent.
        const updated = await queries.fetchQuery(myNewsletter).catch(() => null)
        const earned = pointsEarned > 0 ? `+${pointsEarned} points earned! ` : ''
        if (updated === null || updated.state === 'asked' || updated.state === 'on')
          return toast({ title: 'Successfully subscribed!', text: `${earned}${CHECK_EMAIL}` })
        const reason = updated.state === 'bounced' ? BOUNCED : DAILY_LIMIT
        toast({ title: 'No mail was sent', text: `${earned}${reason}` })
      },
      onError: toastError('Subscription failed'),
    })
  const onUnsubscribe = () =>
    unsubscribe.mutate(undefined, {
      onSuccess: () => toast({ title: 'Unsubscribed', text: 'Nothing more is sent to you from our list.' }),
      onError: toastError('Not changed'),
    })
  if (state === 'unconfirmed')
    return <p className="max-w-xl text-muted">Confirm your address first. Then you can join our list here.</p>
  if (state === 'bounced') return <p className="max-w-xl">{BOUNCED}</p>
  if (!canAsk && state !== 'on')
    return (
      <p className="max-w-xl">
        {state === 'asked'
          ? `${CONFIRMATION_PENDING} No other is sent today: please look among your junk mail too.`
          : DAILY_LIMIT}
      </p>
    )
  if (state === 'on')
    return (
      <>
        <p className="max-w-xl">
          New drops, music and shows reach you first{city ? `, those in ${city} above all` : ''}.
        </p>
        <div className="mt-5 flex flex-wrap items-center gap-x-6 gap-y-3">
          <Button aria-disabled={unsubscribe.isPending} onClick={() => !unsubscribe.isPending && onUnsubscribe()}>
            {unsubscribe.isPending ? 'Unsubscribing' : 'Unsubscribe'}
          </Button>
          {/* A full page load, so that the worker's Referrer-Policy header protects the token. */}
          <a
            href={preferences ?? ''}
            className="flex min-h-12 items-center text-gold-bright underline underline-offset-4"
          >
            {city ? 'Change your city' : 'Say where you live'}
          </a>
        </div>
      </>
    )
  const label = state === 'asked' ? 'Send the mail again' : 'Subscribe'
  return (
    <>
      <p className="max-w-xl">
        {state === 'asked' ? CONFIRMATION_PENDING : 'New drops, music and shows, by mail. Unsubscribe anytime.'}
      </p>
      {turnstile.widget}
      <Button
        className="mt-5"
        aria-disabled={subscribe.isPending}
        onClick={() => !subscribe.isPending && onSubscribe()}
      >
        {subscribe.isPending ? 'Joining...' : label}
      </Button>
    </>
  )
}
