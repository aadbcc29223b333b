import type { Millis } from '../lib/clock'

/** The provider's side of an order's payment. */
export type Intent = { id: string; clientSecret: string }

/** What became of the wish to call a payment off: null where nobody can make it any more, else what was paid. */
export type ClosedIntentPayment = { amountCents: number; currency: string; at: Millis } | null

/** One thing that a provider takes money through. Two stand behind it: Stripe, and the demo's test provider. */
export type PaymentProvider = {
  readonly provider: 'stripe' | 'test'
  /** Real cards are charged; events that say otherwise are not believed. */
  readonly live: boolean
  /**
   * Makes the order's payment. Asked again for the same order and `attempt` it answers with the same one, under the key
   * `order:{id}:v1`. @throws ProviderFailed: the next attempt is another one.
   */
  createIntent(order: { orderId: string; amountCents: number; attempt: number }): Promise<Intent>
  /**
   * Changes what is to be paid; the same `revision` is the same change. @throws ProviderRefused when it is too late, and
   * ProviderFailed as above.
   */
  changeIntent(change: {
    intentId: string
    orderId: string
    amountCents: number
    revision: number
    attempt: number
  }): Promise<Intent>
  readIntent(intentId: string): Promise<Intent>
  /** Makes sure that the payment cannot be made any more, or says how it was. */
  closeIntent(intent: { intentId: string; orderId: string }): Promise<ClosedIntentPayment>
  /**
   * Gives the whole payment back, once however often the same `attempt` is asked for.
   * @throws ProviderRefused, and ProviderFailed as above.
   */
  refund(payment: { intentId: string; orderId: string; attempt: number }): Promise<void>
  /** Reads a signed event. @throws AppError `bad_input` for anything that the provider did not sign just now. */
  readEvent(delivery: { payload: string; signature: string; at: Millis }): Promise<ProviderEvent>
}

/** A verified event in our words. `at` is when the provider says that it happened. */
export type ProviderEvent = { id: string; type: string; at: Millis; live: boolean } & (
  | PaymentEvent
  | { kind: 'subscription'; subscriptionId: string }
  /** Of no use to us. */
  | { kind: 'other' }
)

/** Something that happened to a payment. `orderId` is what the payment's metadata says, null where it says nothing. */
export type PaymentEvent = { intentId: string | null; orderId: string | null } & (
  | { kind: 'succeeded'; amountCents: number; currency: string }
  | { kind: 'declined' }
  | { kind: 'canceled' }
  /** `refundedCents` is the sum of all refunds so far. */
  | { kind: 'refunded'; refundedCents: number }
  | { kind: 'refund_failed' }
  /** The buyer's bank asks, and wants the answer by then. Whether it takes `amountCents` meanwhile is told apart. */
  | { kind: 'inquiry'; fundsWithdrawn: boolean; amountCents: number; respondBy: Millis | null }
  /** A dispute has taken the money away, and given it back. What a dispute is called meanwhile moves nothing. */
  | { kind: 'withdrawn'; amountCents: number }
  | { kind: 'reinstated' }
)

/** The provider did not answer, or not in time: whether it acted is not known, and the same call may be made again. */
export class ProviderUnreachable extends Error {}

/**
 * The provider answered that it failed. It keeps that answer under the idempotency key once it had begun, so the same
 * call would hear it again for a day: the next one needs another key.
 */
export class ProviderFailed extends ProviderUnreachable {}

/** The provider said no. */
export class ProviderRejected extends Error {}
