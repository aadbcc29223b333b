import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { TierCard } from '../../worker/contract/site'
import type { PaidTier } from '../../worker/contract/subscriptions'
import { useMe } from '../auth/auth.queries'
import { Footer } from '../layout/Footer'
import { siteConfig } from '../site/site.queries'
import { Button, buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { SubscribeButton } from './SubscribeButton'
import { SubscriptionPanel } from './SubscriptionPanel'
import { subscriptionStatus } from './subscriptions.queries'
import { TierPanel } from './TierPanel'
import { useCheckoutReturn } from './useCheckoutReturn'

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
