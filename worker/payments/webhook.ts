import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { applyPaymentEvent, recordEvent } from '../orders/payment-events'
import { sendPendingRefunds } from '../orders/refunds'
import type { PaymentEvent, PaymentProvider, ProviderEvent } from './provider'

type Deps = {
  db: Db
  payments: PaymentProvider
  signingSecret: string
  /** What links in mails begin with; null where it is not known. */
  origin: string | null
  /** Brings the tier of whoever a subscription belongs to up to date; false where it is nobody's here. */
  handleSubscriptionEvent: (event: { subscriptionId: string; type: string }, now: Millis) => Promise<boolean>
}

/**
 * One delivery of the provider's: verified, then taken in. Whatever is thrown makes the provider send it again, and
 * everything in here may run again.
 * @throws AppError `bad_input` for what is not signed.
 */
export async function handleWebhook(
  deps: Deps,
  delivery: { payload: string; signature: string; at: Millis },
): Promise<void> {
  const { db, payments, handleSubscriptionEvent } = deps
  const { at } = delivery
  const event = await payments.readEvent(delivery)
  if (event.kind === 'other') return recordEvent(db.$client, event, { state: 'ignored', reason: null, now: at })
  if (event.kind === 'subscription') {
    if (event.live !== payments.live)
      return recordEvent(db.$client, event, { state: 'parked', reason: 'An event of the other mode.', now: at })
    // It may be taken in any number of times: what is written is how the subscription stands now.
    return (await handleSubscriptionEvent(event, at))
      ? recordEvent(db.$client, event, { state: 'applied', reason: null, now: at })
      : recordEvent(db.$client, event, {
          state: 'parked',
          reason: 'No supporter of ours has this subscription.',
          now: at,
        })
  }
  await onPaymentEvent(deps, event, at)
}

type ProviderPaymentEvent = ProviderEvent & PaymentEvent

/** What follows from something that happened to a payment: the order, the buyer's mails, a refund that is wanted. */
export async function onPaymentEvent(
  { db, payments, signingSecret, origin }: Omit<Deps, 'handleSubscriptionEvent'>,
  event: ProviderPaymentEvent,
  at: Millis,
): Promise<void> {
  const applied = await applyPaymentEvent({ db, payments, signingSecret, origin }, event, at)
  if (!applied) return
  // Only a success that the order cannot keep wants one here; where it does not get through, the sweep asks again.
  await sendPendingRefunds({ db, payments, at }, applied.orderId)
}
