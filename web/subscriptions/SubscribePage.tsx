import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { TIERS, type TierCard } from '../../worker/contract/site'
import type { PaidTier, SubscriptionStatus } from '../../worker/contract/subscriptions'
import { sessionQuery, useMe } from '../auth/auth.queries'
import { Footer } from '../layout/Footer'
import { siteConfig } from '../site/site.queries'
import { Button, buttonClass } from '../ui/Button'
import { lazyDialog } from '../ui/lazy'
import { QueryBoundary } from '../ui/QueryBoundary'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { SubscriptionPanel } from './SubscriptionPanel'
import { subscriptionStatus, useSubscribeToTier } from './subscriptions.queries'
import { IncludedTierButton, TierPanel, VINYL_SIDES } from './TiersSection'

const POLL_INTERVAL_MS = 2000
const MAX_POLLS = 30
const ConfirmDialog = lazyDialog(() => import('../ui/ConfirmDialog').then((m) => m.ConfirmDialog))
const tierSkeletons = (
  <>
    <Skeleton className="h-[36rem]" label="Loading the tiers" />
    <Skeleton className="h-[40rem]" />
  </>
)

const isPaid = (tier: TierCard): tier is TierCard & { id: PaidTier } => tier.id !== 'bronze'

/** /subscribe: the paid tiers. `?tier=` marks one and focuses its button. */
export function SubscribePage() {
  const { tier: chosenId, subscribed } = useSearch({ from: '/subscribe' })
  const siteQuery = useQuery(siteConfig)
  const site = siteQuery.data
  const me = useMe()
  const isForSale = site?.subscriptions ?? false
  // Subscribers can manage their tier even if tiers are no longer for sale.
  const { data: accountStatus } = useQuery({
    ...subscriptionStatus,
    enabled: Boolean(me) && (isForSale || me?.tier !== 'bronze'),
  })
  const status = me === null ? null : accountStatus
  const { confirmation, restartPolling } = useCheckoutReturn(isForSale ? subscribed : undefined, status)
  const chosenButton = useRef<HTMLButtonElement>(null)
  const isLoaded = site !== undefined
  const paidTiers = site?.tiers.filter(isPaid) ?? []
  const hasUsedTrial = isForSale && status?.trialAvailable === false
  const subscribedTier = paidTiers.find(({ id }) => id === status?.subscription?.tier)
  const trialText = hasUsedTrial ? (
    'You have already used your free trial, so both are charged from the first day. Cancel anytime.'
  ) : (
    <>
      Both begin with a <strong className="font-semibold text-ivory">7-day free trial</strong>. Cancel anytime.
    </>
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: the ref points to another button after these change.
  useEffect(() => {
    chosenButton.current?.focus()
  }, [chosenId, isLoaded])

  return (
    <>
      <main id="content" tabIndex={-1} className="page-grid pt-28 pb-20 outline-none">
        <div className="col-span-full">
          <Link to="/" className={buttonClass('text', '-ml-3')}>
            <ArrowLeft size={18} aria-hidden />
            Back to Home
          </Link>
        </div>
        <header className="col-span-full mt-6 mb-12 lg:col-span-4 lg:mb-0">
          <h1 className="font-display text-[clamp(2.6rem,4.3vw,4rem)] leading-[0.92]">Choose your pressing</h1>
          <p className="mt-6 max-w-[26rem] text-lg text-muted">
            {isForSale && status?.subscription ? 'Change your tier or cancel anytime.' : trialText}
          </p>
          <p className="mt-4 max-w-[26rem] text-muted">Bronze is free with every account.</p>
          <div role="status">
            {confirmation === 'polling' && (
              <p className="mt-8 flex items-center gap-4">
                <span aria-hidden="true" className="disc spinner" />
                Confirming your subscription
              </p>
            )}
            {confirmation === 'late' && (
              <div className="mt-8 border-l-4 border-gold bg-sleeve p-5">
                <p className="font-semibold">Your subscription is not confirmed yet</p>
                <p className="mt-2 text-muted">
                  If you completed checkout, there is no need to do it again: your tier opens once the payment is
                  confirmed. If you left checkout early, you were not charged.
                </p>
                <Button className="mt-5" onClick={restartPolling}>
                  Check again
                </Button>
              </div>
            )}
          </div>
          {status?.subscription && subscribedTier && (
            <SubscriptionPanel subscription={status.subscription} tier={subscribedTier} />
          )}
        </header>
        <div className="tier-cards tier-cards-two col-span-full lg:col-span-8 lg:-mt-16">
          <QueryBoundary
            query={siteQuery}
            loading={tierSkeletons}
            error="The tiers could not be loaded."
            errorClassName="col-span-full"
          >
            {() =>
              paidTiers.map((tier) => (
                <TierPanel
                  key={tier.id}
                  tier={tier}
                  side={VINYL_SIDES[tier.id]}
                  isChosen={tier.id === chosenId}
                  headingLevel="h2"
                >
                  <SubscribeButton
                    tier={tier}
                    isForSale={isForSale}
                    status={status}
                    ref={tier.id === chosenId ? chosenButton : undefined}
                  />
                </TierPanel>
              ))
            }
          </QueryBoundary>
        </div>
      </main>
      <Footer />
    </>
  )
}

/**
 * After returning from checkout, polls until the server confirms the subscription, then welcomes the supporter.
 * `confirmation` is null unless one is awaited, and 'late' after the last poll until `restartPolling` is called.
 */
function useCheckoutReturn(
  subscribed: PaidTier | undefined,
  status: SubscriptionStatus | null | undefined,
): { confirmation: 'polling' | 'late' | null; restartPolling: () => void } {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [pollCount, setPollCount] = useState(0)
  const isSubscribed = subscribed !== undefined && status?.tier === subscribed
  const isAwaited = Boolean(status) && subscribed !== undefined && !isSubscribed
  const isPolling = isAwaited && pollCount < MAX_POLLS

  useEffect(() => {
    if (!isPolling) return
    const timer = setTimeout(() => {
      setPollCount(pollCount + 1)
      void queryClient.invalidateQueries({ queryKey: subscriptionStatus.queryKey })
    }, POLL_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [isPolling, pollCount, queryClient])

  useEffect(() => {
    if (!isSubscribed) return
    toast({ title: 'Welcome aboard', text: 'Your tier is open. Thank you.' })
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    void navigate({ to: '/subscribe', search: {}, replace: true })
  }, [isSubscribed, queryClient, navigate])

  const pendingState = isPolling ? 'polling' : 'late'
  return { confirmation: isAwaited ? pendingState : null, restartPolling: () => setPollCount(0) }
}

type SubscribeButtonProps = {
  tier: TierCard & { id: PaidTier }
  /** Whether tiers are for sale. */
  isForSale: boolean
  /** Null for a visitor, undefined while loading. */
  status: SubscriptionStatus | null | undefined
  ref?: RefObject<HTMLButtonElement | null>
}

function SubscribeButton({ tier, isForSale, status, ref }: SubscribeButtonProps) {
  const navigate = useNavigate()
  const subscribe = useSubscribeToTier()
  const [isConfirming, setIsConfirming] = useState(false)
  const accountTier = useMe()?.tier ?? 'bronze'
  const currentSubscription = isForSale ? (status?.subscription ?? null) : null
  const currentTier = currentSubscription?.tier ?? accountTier
  // A subscriber may change to a lower tier; without a subscription there is nothing to change.
  const isIncluded = !currentSubscription && TIERS.indexOf(tier.id) < TIERS.indexOf(accountTier)

  function onPress() {
    if (!isForSale) return void toast({ title: 'Coming Soon!', text: 'Subscription payments will be available soon.' })
    if (status === undefined || subscribe.isPending) return
    if (status === null) return void navigate({ to: '/login', search: { return: `/subscribe?tier=${tier.id}` } })
    if (currentSubscription) return setIsConfirming(true)
    subscribe.mutate(tier.id)
  }

  if (tier.id === currentTier || isIncluded)
    return <IncludedTierButton>{isIncluded ? 'Included' : 'Current Plan'}</IncludedTierButton>
  const hasTrial = isForSale && status?.trialAvailable
  const startLabel = hasTrial ? 'Start free trial' : 'Subscribe'
  const label = currentSubscription ? `Change to ${tier.name}` : startLabel
  return (
    <>
      <Button
        ref={ref}
        variant={tier.id === 'gold' ? 'primary' : 'outline'}
        aria-label={
          currentSubscription ? undefined : `${hasTrial ? 'Start free trial of' : 'Subscribe to'} ${tier.name}`
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
            confirmLabel={`Change to ${tier.name}`}
            pending={subscribe.isPending}
            onConfirm={() => subscribe.mutate(tier.id, { onSettled: () => setIsConfirming(false) })}
            onClose={() => setIsConfirming(false)}
          >
            <p>What you already paid for the rest of this month is credited toward the new price.</p>
          </ConfirmDialog>
        </Suspense>
      )}
    </>
  )
}
