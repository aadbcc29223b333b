import { useNavigate } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense, useState } from 'react'
import type { TierCard } from '../../worker/contract/site'
import type { PaidTier, SubscriptionStatus } from '../../worker/contract/subscriptions'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { useSubscribeTo } from './subscriptions.queries'

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
export function Subscribe({ tier, open, status, button }: Props) {
  const navigate = useNavigate()
  const subscribe = useSubscribeTo()
  const [asking, setAsking] = useState(false)
  // Where nothing is sold there is nothing to change to, either (ruling 26).
  const running = open ? (status?.subscription ?? null) : null
  const own = running?.tier === tier.id

  function press() {
    if (!open) return void toast({ title: 'Coming Soon!', text: 'Subscription payments will be available soon.' })
    if (status === undefined || subscribe.isPending) return
    if (status === null) return void navigate({ to: '/login', search: { return: `/subscribe?tier=${tier.id}` } })
    if (running) return setAsking(true)
    subscribe.mutate(tier.id)
  }

  if (open && own) return <Button disabled>Current Plan</Button>
  const words = running ? `Change to ${tier.name}` : open && status?.trialAvailable ? 'Start free trial' : 'Subscribe'
  return (
    <>
      <Button
        ref={button}
        look={tier.id === 'gold' ? 'foil' : 'outline'}
        aria-label={
          running ? undefined : `${words === 'Subscribe' ? 'Subscribe to' : 'Start free trial of'} ${tier.name}`
        }
        aria-disabled={subscribe.isPending}
        onClick={press}
      >
        {subscribe.isPending ? 'One moment' : words}
      </Button>
      {asking && (
        <Suspense>
          <ConfirmDialog
            title={`Change to ${tier.name}?`}
            confirm={`Change to ${tier.name}`}
            pending={subscribe.isPending}
            onConfirm={() => subscribe.mutate(tier.id, { onSettled: () => setAsking(false) })}
            onClose={() => setAsking(false)}
          >
            <p>What you have paid for the rest of this month is set off against the new price.</p>
          </ConfirmDialog>
        </Suspense>
      )}
    </>
  )
}
