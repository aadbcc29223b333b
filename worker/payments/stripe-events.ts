import type Stripe from 'stripe'
import { SECOND_MS } from '../lib/clock'
import type { PaymentEvent, ProviderEvent } from './provider'

type StripeEvent = Parameters<typeof parseStripeEvent>[0]

/** A verified event of Stripe's in our words. */
export function parseStripeEvent(event: Stripe.Event): ProviderEvent {
  const head = { id: event.id, type: event.type, at: event.created * SECOND_MS, live: event.livemode }
  const subscriptionId = subscriptionOf(event)
  if (subscriptionId !== null) return { ...head, kind: 'subscription', subscriptionId }
  const payment = paymentOf(event)
  return payment ? { ...head, ...payment } : { ...head, kind: 'other' }
}

function paymentOf(event: StripeEvent): PaymentEvent | null {
  switch (event.type) {
    case 'payment_intent.succeeded': {
      const { amount_received: amountCents, currency } = event.data.object
      return { ...intentReference(event.data.object), kind: 'succeeded', amountCents, currency }
    }
    case 'payment_intent.payment_failed':
      return { ...intentReference(event.data.object), kind: 'declined' }
    case 'payment_intent.canceled':
      return { ...intentReference(event.data.object), kind: 'canceled' }
    case 'charge.refunded':
      return {
        ...chargeReference(event.data.object),
        kind: 'refunded',
        refundedCents: event.data.object.amount_refunded,
      }
    case 'refund.failed':
      return { intentId: idOf(event.data.object.payment_intent), orderId: null, kind: 'refund_failed' }
    // A dispute may begin as a question (`warning_...`) that takes no money: somebody has to answer it, no more.
    case 'charge.dispute.created': {
      const { status, payment_intent, amount: amountCents, evidence_details } = event.data.object
      const dueBy = evidence_details?.due_by ?? null
      return {
        ...{ intentId: idOf(payment_intent), orderId: null, kind: 'inquiry', amountCents },
        fundsWithdrawn: !status.startsWith('warning'),
        respondBy: dueBy === null ? null : dueBy * SECOND_MS,
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
function subscriptionOf(event: StripeEvent): string | null {
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

type ExpandableReference = string | { id: string } | null | undefined
const idOf = (reference: ExpandableReference): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null)

const intentReference = ({ id, metadata }: { id: string; metadata: Record<string, string> }) => ({
  intentId: id,
  orderId: metadata.order_id ?? null,
})
const chargeReference = ({
  payment_intent,
  metadata,
}: {
  payment_intent: ExpandableReference
  metadata: Record<string, string>
}) => ({
  intentId: idOf(payment_intent),
  orderId: metadata.order_id ?? null,
})
