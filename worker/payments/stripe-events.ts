import type Stripe from 'stripe'
import { SECOND } from '../lib/clock'
import type { PaymentEvent, ProviderEvent } from './provider'

type Told = Parameters<typeof inOurWords>[0]

/** A verified event of Stripe's in our words. */
export function inOurWords(event: Stripe.Event): ProviderEvent {
  const head = { id: event.id, type: event.type, at: event.created * SECOND, live: event.livemode }
  const subscriptionId = subscriptionOf(event)
  if (subscriptionId !== null) return { ...head, kind: 'subscription', subscriptionId }
  const payment = paymentOf(event)
  return payment ? { ...head, ...payment } : { ...head, kind: 'other' }
}

function paymentOf(event: Told): PaymentEvent | null {
  switch (event.type) {
    case 'payment_intent.succeeded': {
      const { amount_received: amountCents, currency } = event.data.object
      return { ...ofIntent(event.data.object), kind: 'succeeded', amountCents, currency }
    }
    case 'payment_intent.payment_failed':
      return { ...ofIntent(event.data.object), kind: 'declined' }
    case 'payment_intent.canceled':
      return { ...ofIntent(event.data.object), kind: 'canceled' }
    case 'charge.refunded':
      return { ...ofCharge(event.data.object), kind: 'refunded', refundedCents: event.data.object.amount_refunded }
    case 'refund.failed':
      return { intentId: idOf(event.data.object.payment_intent), orderId: null, kind: 'refund_failed' }
    // A dispute may begin as a question (`warning_...`) that takes no money: somebody has to answer it, no more.
    case 'charge.dispute.created': {
      const { status, payment_intent, amount: amountCents, evidence_details } = event.data.object
      const due = evidence_details?.due_by ?? null
      return {
        ...{ intentId: idOf(payment_intent), orderId: null, kind: 'inquiry', amountCents },
        takes: !status.startsWith('warning'),
        answerBy: due === null ? null : due * SECOND,
      }
    }
    case 'charge.dispute.funds_withdrawn':
      return {
        ...{ intentId: idOf(event.data.object.payment_intent), orderId: null, kind: 'withdrawn' },
        amountCents: event.data.object.amount,
      }
    case 'charge.dispute.funds_reinstated':
      return { intentId: idOf(event.data.object.payment_intent), orderId: null, kind: 'reinstated' }
    default:
      return null
  }
}

/** A subscription is read from Stripe whatever the event says of it: only which one matters. */
function subscriptionOf(event: Told): string | null {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.trial_will_end':
      return event.data.object.id
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return idOf(event.data.object.parent?.subscription_details?.subscription ?? null)
    default:
      return null
  }
}

type MayName = string | { id: string } | null | undefined
const idOf = (named: MayName): string | null => (typeof named === 'string' ? named : (named?.id ?? null))

const ofIntent = ({ id, metadata }: { id: string; metadata: Record<string, string> }) => ({
  intentId: id,
  orderId: metadata.order_id ?? null,
})
const ofCharge = ({ payment_intent, metadata }: { payment_intent: MayName; metadata: Record<string, string> }) => ({
  intentId: idOf(payment_intent),
  orderId: metadata.order_id ?? null,
})
