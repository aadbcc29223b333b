import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MyNewsletter } from '../../worker/contract/newsletter'
import { SettingsSection } from '../auth/SettingsSection'
import { useTurnstile } from '../turnstile/useTurnstile'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { myNewsletter, useUnsubscribeMe } from './newsletter.queries'
import { CHECK_EMAIL, subscribedAward, useSubscribe } from './subscribe'

/** The account's newsletter subscription. */
export function NewsletterSettings({ email }: { email: string }) {
  return (
    <SettingsSection title="Newsletter">
      <QueryBoundary
        query={useQuery(myNewsletter)}
        loading={{ className: 'h-24', label: 'Loading your newsletter settings' }}
        error="Your newsletter settings could not be loaded."
      >
        {(newsletter) => <NewsletterControls email={email} newsletter={newsletter} />}
      </QueryBoundary>
    </SettingsSection>
  )
}

const BOUNCED_TEXT = 'Emails to your address bounced, so we stopped sending the newsletter to it.'
const DAILY_LIMIT_TEXT = 'We have sent as many emails to your address as we can today. Come back tomorrow to subscribe.'
const CONFIRMATION_PENDING_TEXT = 'We sent you an email. Open its link to confirm your subscription.'

function NewsletterControls({ email, newsletter }: { email: string; newsletter: MyNewsletter }) {
  const { state, canAsk, city, preferences } = newsletter
  const queryClient = useQueryClient()
  const turnstile = useTurnstile('newsletter')
  const subscribe = useSubscribe(turnstile)
  const unsubscribe = useUnsubscribeMe()
  const onSubscribe = () =>
    subscribe.mutate(email, {
      onSuccess: async (result) => {
        // The response is the same for every address, so read from the account whether an email was sent.
        const updated = await queryClient.fetchQuery(myNewsletter).catch(() => null)
        const earnedText = subscribedAward(result)
        if (updated === null || updated.state === 'asked' || updated.state === 'on')
          return toast({ title: 'Successfully subscribed!', text: `${earnedText}${CHECK_EMAIL}` })
        const reason = updated.state === 'bounced' ? BOUNCED_TEXT : DAILY_LIMIT_TEXT
        toast({ title: 'No email was sent', text: `${earnedText}${reason}` })
      },
      onError: toastError('Subscription failed'),
    })
  const onUnsubscribe = () =>
    unsubscribe.mutate(undefined, {
      onSuccess: () => toast({ title: 'Unsubscribed', text: 'You won’t get the newsletter anymore.' }),
      onError: toastError('Not changed'),
    })
  if (state === 'unconfirmed')
    return <p className="max-w-xl text-muted">Confirm your email first. Then you can subscribe here.</p>
  if (state === 'bounced') return <p className="max-w-xl">{BOUNCED_TEXT}</p>
  if (!canAsk && state !== 'on')
    return (
      <p className="max-w-xl">
        {state === 'asked'
          ? `${CONFIRMATION_PENDING_TEXT} We can’t send another today, so please check your spam folder too.`
          : DAILY_LIMIT_TEXT}
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
            {city ? 'Change your city' : 'Add your city'}
          </a>
        </div>
      </>
    )
  const label = state === 'asked' ? 'Send the email again' : 'Subscribe'
  const pendingLabel = state === 'asked' ? 'Sending...' : 'Joining...'
  return (
    <>
      <p className="max-w-xl">
        {state === 'asked' ? CONFIRMATION_PENDING_TEXT : 'New drops, music and shows by email. Unsubscribe anytime.'}
      </p>
      {turnstile.widget}
      <Button
        className="mt-5"
        aria-disabled={subscribe.isPending}
        onClick={() => !subscribe.isPending && onSubscribe()}
      >
        {subscribe.isPending ? pendingLabel : label}
      </Button>
    </>
  )
}
