import { useQuery } from '@tanstack/react-query'
import type { OwnNewsletter } from '../../worker/contract/lists'
import { AccountPart } from '../auth/AccountPart'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { useSubscribe } from './newsletter.queries'
import { ownNewsletter, useLeaveOwn } from './preferences.queries'
import { CHECK_MAIL } from './subscribed-toast'

/** Whether the account's own address gets the newsletter, and the switch for it. */
export function NewsletterPart({ email }: { email: string }) {
  const { data, error, refetch, isFetching } = useQuery(ownNewsletter)
  return (
    <AccountPart title="Newsletter">
      {data ? (
        <Switch email={email} is={data} />
      ) : error ? (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          What you get could not be fetched.
        </LoadError>
      ) : (
        <Skeleton className="h-24" label="Fetching what you get" />
      )}
    </AccountPart>
  )
}

function Switch({ email, is: { state, city, preferences } }: { email: string; is: OwnNewsletter }) {
  const subscribe = useSubscribe()
  const leave = useLeaveOwn()
  const join = () =>
    subscribe.mutate(email, {
      onSuccess: ({ pointsEarned }) =>
        toast({
          title: 'Successfully subscribed!',
          text: pointsEarned > 0 ? `+${pointsEarned} points earned! ${CHECK_MAIL}` : CHECK_MAIL,
        }),
      onError: ({ message }) => toast({ title: 'Subscription failed', text: message, tone: 'destructive' }),
    })
  const go = () =>
    leave.mutate(undefined, {
      onSuccess: () => toast({ title: 'Unsubscribed', text: 'Nothing more is sent to you from our list.' }),
      onError: ({ message }) => toast({ title: 'Not changed', text: message, tone: 'destructive' }),
    })
  if (state === 'unconfirmed')
    return <p className="max-w-xl text-muted">Confirm your address first. Then you can join our list here.</p>
  if (state === 'on')
    return (
      <>
        <p className="max-w-xl">
          New drops, music and shows reach you first{city ? `, those in ${city} above all` : ''}.
        </p>
        <div className="mt-5 flex flex-wrap items-center gap-x-6 gap-y-3">
          <Button aria-disabled={leave.isPending} onClick={() => !leave.isPending && go()}>
            {leave.isPending ? 'Unsubscribing' : 'Unsubscribe'}
          </Button>
          {/* A whole page load: only then does the worker keep the link's secret from every Referer. */}
          <a
            href={preferences ?? ''}
            className="flex min-h-12 items-center text-gold-bright underline underline-offset-4"
          >
            {city ? 'Change your city' : 'Say where you live'}
          </a>
        </div>
      </>
    )
  return (
    <>
      <p className="max-w-xl">
        {state === 'asked'
          ? 'A mail with a button waits for you. Press it, and you are on our list.'
          : 'New drops, music and shows, by mail. Unsubscribe anytime.'}
      </p>
      <Button className="mt-5" aria-disabled={subscribe.isPending} onClick={() => !subscribe.isPending && join()}>
        {subscribe.isPending ? 'Joining...' : state === 'asked' ? 'Send the mail again' : 'Subscribe'}
      </Button>
    </>
  )
}
