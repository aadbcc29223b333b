import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import type { TierCard } from '../../worker/contract/site'
import type { PaidTier, SubscriptionStatus } from '../../worker/contract/subscriptions'
import { authStatus, useMe } from '../auth/auth.queries'
import { Footer } from '../layout/Footer'
import { siteConfig } from '../site/site.queries'
import { Button, buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { SubscriptionPanel } from './SubscriptionPanel'
import { subscriptionStatus, useSubscribeTo } from './subscriptions.queries'
import { TierPanel } from './TiersSection'

const SIDE = { silver: 'B', gold: 'C' } as const
const isPaid = (tier: TierCard): tier is TierCard & { id: PaidTier } => tier.id !== 'bronze'

/** The tier chooser. `?tier=` marks one pressing and puts the focus on its button. */
export function SubscribePage() {
  const { tier: chosen, subscribed } = useSearch({ from: '/subscribe' })
  const { data: site, isError, isFetching, refetch } = useQuery(siteConfig)
  const me = useMe()
  const open = site?.subscriptions ?? false
  // Who has a tier sees how it stands and how to end it, also where none is sold any more.
  const { data } = useQuery({ ...subscriptionStatus, enabled: Boolean(me) && (open || me?.tier !== 'bronze') })
  const status = me === null ? null : data
  const { arrival, askAgain } = useCheckoutReturn(open ? subscribed : undefined, status)
  const choice = useRef<HTMLButtonElement>(null)
  const loaded = site !== undefined
  const paid = site?.tiers.filter(isPaid) ?? []
  // Where nothing is sold nobody is charged, and the page is as for everybody (ruling 26).
  const hadTrial = open && status?.trialAvailable === false
  const own = paid.find(({ id }) => id === status?.subscription?.tier)

  // biome-ignore lint/correctness/useExhaustiveDependencies: focus goes to the choice once it is there, and to a new one.
  useEffect(() => {
    choice.current?.focus()
  }, [chosen, loaded])

  return (
    <>
      <main id="content" tabIndex={-1} className="page-grid pt-28 pb-20 outline-none">
        <div className="col-span-full">
          <Link to="/" className={buttonClass('quiet', '-ml-3')}>
            <ArrowLeft size={18} aria-hidden />
            Back to Home
          </Link>
        </div>
        <header className="col-span-full mt-6 mb-12 lg:col-span-4 lg:mb-0">
          <h1 className="font-display text-[clamp(2.6rem,4.3vw,4rem)] leading-[0.92]">Choose your pressing</h1>
          <p className="mt-6 max-w-[26rem] text-lg text-muted">
            {hadTrial ? (
              'You have had your free week, so both are charged from the first day. Cancel anytime.'
            ) : (
              <>
                Both begin with a <strong className="font-semibold text-ivory">7-day free trial</strong>. Cancel
                anytime.
              </>
            )}
          </p>
          <p className="mt-4 max-w-[26rem] text-muted">Bronze is free, and yours with every account.</p>
          <div role="status">
            {arrival === 'asking' && (
              <p className="mt-8 flex items-center gap-4">
                <span aria-hidden="true" className="disc spinner" />
                Confirming your subscription
              </p>
            )}
            {arrival === 'late' && (
              <div className="mt-8 border-l-4 border-gold bg-sleeve p-5">
                <p className="font-semibold">We have not heard of your subscription yet</p>
                <p className="mt-2 text-muted">
                  If you have finished it, there is no need to do it again: your tier opens by itself once the payment
                  service tells us. If you left its page early, nothing was begun.
                </p>
                <Button className="mt-5" onClick={askAgain}>
                  Check again
                </Button>
              </div>
            )}
          </div>
          {status?.subscription && own && <SubscriptionPanel subscription={status.subscription} tier={own} />}
        </header>
        <div className="pressings pressings-two col-span-full lg:col-span-8 lg:-mt-16">
          {site ? (
            paid.map((tier) => (
              <TierPanel key={tier.id} tier={tier} side={SIDE[tier.id]} chosen={tier.id === chosen} heading="h2">
                <SubscribeButton
                  tier={tier}
                  open={open}
                  status={status}
                  button={tier.id === chosen ? choice : undefined}
                />
              </TierPanel>
            ))
          ) : isError ? (
            <div className="col-span-full">
              <LoadError onRetry={() => void refetch()} retrying={isFetching}>
                The tiers could not be fetched.
              </LoadError>
            </div>
          ) : (
            <>
              <Skeleton className="h-[36rem]" label="Fetching the tiers" />
              <Skeleton className="h-[40rem]" />
            </>
          )}
        </div>
      </main>
      <Footer />
    </>
  )
}

const POLL_INTERVAL_MS = 2000
const MAX_TRIES = 30

/**
 * Somebody comes back from the provider's page and says to have subscribed. The server is asked until it says so, too;
 * only then is there a welcome. `asking` while it is being asked, `late` once that took too long; `askAgain` begins anew.
 */
export function useCheckoutReturn(
  subscribed: PaidTier | undefined,
  status: SubscriptionStatus | null | undefined,
): { arrival: 'asking' | 'late' | null; askAgain: () => void } {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [tries, setTries] = useState(0)
  const isSubscribed = subscribed !== undefined && status?.tier === subscribed
  const isPolling = Boolean(status) && subscribed !== undefined && !isSubscribed && tries < MAX_TRIES

  useEffect(() => {
    if (!isPolling) return
    const timer = setTimeout(() => {
      setTries(tries + 1)
      void queries.invalidateQueries({ queryKey: subscriptionStatus.queryKey })
    }, POLL_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [isPolling, tries, queries])

  useEffect(() => {
    if (!isSubscribed) return
    toast({ title: 'Welcome aboard', text: 'Your tier is open. Thank you.' })
    void queries.invalidateQueries({ queryKey: authStatus.queryKey })
    void navigate({ to: '/subscribe', search: {}, replace: true })
  }, [isSubscribed, queries, navigate])

  const isLate = Boolean(status) && subscribed !== undefined && !isSubscribed && !isPolling
  return { arrival: isPolling ? 'asking' : isLate ? 'late' : null, askAgain: () => setTries(0) }
}

const ConfirmDialog = lazy(() => import('../ui/ConfirmDialog').then((m) => ({ default: m.ConfirmDialog })))

type Props = {
  tier: TierCard & { id: PaidTier }
  /** The flag of this deployment: off until payment is live (ruling 26). */
  open: boolean
  /** Null for a visitor, undefined while it is not known. */
  status: SubscriptionStatus | null | undefined
  button?: RefObject<HTMLButtonElement | null>
}

/** What can be done with a tier: begin it, change to it, or nothing for who has it. */
export function SubscribeButton({ tier, open, status, button }: Props) {
  const navigate = useNavigate()
  const subscribe = useSubscribeTo()
  const [isConfirming, setConfirming] = useState(false)
  // Where nothing is sold there is nothing to change to, either (ruling 26).
  const current = open ? (status?.subscription ?? null) : null
  const isCurrentTier = current?.tier === tier.id

  function onPress() {
    if (!open) return void toast({ title: 'Coming Soon!', text: 'Subscription payments will be available soon.' })
    if (status === undefined || subscribe.isPending) return
    if (status === null) return void navigate({ to: '/login', search: { return: `/subscribe?tier=${tier.id}` } })
    if (current) return setConfirming(true)
    subscribe.mutate(tier.id)
  }

  if (open && isCurrentTier) return <Button disabled>Current Plan</Button>
  const label = current ? `Change to ${tier.name}` : open && status?.trialAvailable ? 'Start free trial' : 'Subscribe'
  return (
    <>
      <Button
        ref={button}
        variant={tier.id === 'gold' ? 'foil' : 'outline'}
        aria-label={
          current ? undefined : `${label === 'Subscribe' ? 'Subscribe to' : 'Start free trial of'} ${tier.name}`
        }
        aria-disabled={subscribe.isPending}
        onClick={onPress}
      >
        {subscribe.isPending ? 'One moment' : label}
      </Button>
      {isConfirming && (
        <Suspense>
          <ConfirmDialog
            title={`Change to ${tier.name}?`}
            confirm={`Change to ${tier.name}`}
            pending={subscribe.isPending}
            onConfirm={() => subscribe.mutate(tier.id, { onSettled: () => setConfirming(false) })}
            onClose={() => setConfirming(false)}
          >
            <p>What you have paid for the rest of this month is set off against the new price.</p>
          </ConfirmDialog>
        </Suspense>
      )}
    </>
  )
}
