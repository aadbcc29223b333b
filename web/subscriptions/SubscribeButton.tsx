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
