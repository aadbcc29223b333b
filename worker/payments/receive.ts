import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { keep, takeIn } from '../orders/events'
import { sendRefunds } from '../orders/refunds'
import type { PaymentEvent, Payments, ProviderEvent } from './provider'

type Hands = {
  db: Db
  payments: Payments
  signingSecret: string
  /** What links in mails begin with; null where it is not known. */
  origin: string | null
  /** Brings the tier of whoever a subscription belongs to up to date; false where it is nobody's here. */
  takeInSubscription: (event: { subscriptionId: string; type: string }, now: Millis) => Promise<boolean>
}

/**
 * One delivery of the provider's: verified, then taken in. Whatever is thrown makes the provider send it again, and
 * everything in here may run again.
 * @throws Refused `bad_input` for what is not signed.
 */
export async function receive(
  hands: Hands,
  delivery: { payload: string; signature: string; at: Millis },
): Promise<void> {
  const { db, payments, takeInSubscription } = hands
  const { at } = delivery
  const event = await payments.readEvent(delivery)
  if (event.kind === 'other') return keep(db.$client, event, { state: 'ignored', reason: null, now: at })
  if (event.kind === 'subscription') {
    if (event.live !== payments.live)
      return keep(db.$client, event, { state: 'parked', reason: 'An event of the other mode.', now: at })
    // It may be taken in any number of times: what is written is how the subscription stands now.
    return (await takeInSubscription(event, at))
      ? keep(db.$client, event, { state: 'applied', reason: null, now: at })
      : keep(db.$client, event, { state: 'parked', reason: 'No supporter of ours has this subscription.', now: at })
  }
  await hearOfPayment(hands, event, at)
}

type Told = ProviderEvent & PaymentEvent

/** What follows from something that happened to a payment: the order, the buyer's mails, a refund that is wanted. */
export async function hearOfPayment(
  { db, payments, signingSecret, origin }: Omit<Hands, 'takeInSubscription'>,
  event: Told,
  at: Millis,
): Promise<void> {
  const taken = await takeIn({ db, payments, signingSecret, origin }, event, at)
  if (!taken) return
  // Only a success that the order cannot keep wants one here; where it does not get through, the sweep asks again.
  await sendRefunds({ db, payments, at }, taken.orderId)
}
