import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { sha256 } from '../lib/crypto'

/** A payment intent at the provider. The browser confirms it with the client secret. */
type Intent = { id: string; clientSecret: string }

/** The payment that succeeded before its intent could be canceled; null if the intent is canceled. */
type ClosedIntentPayment = { amountCents: number; currency: string; at: Millis } | null

/** A payment provider: Stripe, or the demo's test provider. */
export type PaymentProvider = {
  readonly provider: 'stripe' | 'test'
  /** Real cards are charged. Events of the other mode are parked. */
  readonly isLive: boolean
  /**
   * Creates the order's intent; idempotent per order, `attempt` and the other parameters.
   * @throws ProviderFailed: the next call needs a new `attempt`.
   */
  createIntent(order: {
    orderId: string
    amountCents: number
    currency: string
    /** Tax calculation that the provider records with the payment. */
    taxCalculationId: string | null
    attempt: number
  }): Promise<Intent>
  /**
   * Changes the amount; idempotent per `revision`, `attempt` and the other parameters.
   * @throws ProviderRejected if the payment is already under way, ProviderFailed as `createIntent`.
   */
  changeIntent(change: {
    intentId: string
    orderId: string
    amountCents: number
    taxCalculationId: string | null
    revision: number
    attempt: number
  }): Promise<Intent>
  /** Reads the intent, for a browser that continues its payment. */
  readIntent(intentId: string): Promise<Intent>
  /** Cancels the intent, or returns the payment if it already succeeded. */
  closeIntent(intent: { intentId: string; orderId: string }): Promise<ClosedIntentPayment>
  /**
   * Refunds what is left of the payment, or only `part`; idempotent per `refundId` and `attempt`.
   * @throws ProviderRejected, and ProviderFailed as `createIntent`.
   */
  refund(payment: { intentId: string; orderId: string; attempt: number; part?: PartialRefund }): Promise<void>
  /** Verifies and parses a webhook. @throws AppError `bad_input` for an invalid or old signature. */
  readEvent(delivery: WebhookDelivery): Promise<ProviderEvent>
}

/** Input of a tax calculation. Amounts are after the discount. */
export type TaxRequest = {
  currency: string
  /** The prices include the tax. */
  included: boolean
  lines: readonly { reference: string; amountCents: number }[]
  shippingCents: number
  address: { line1: string; city: string; state: string; postalCode: string; country: string }
  /** `billing`: the buyer's location, if nothing is shipped. */
  addressSource: 'shipping' | 'billing'
}

export type TaxCalculation = {
  calculationId: string
  /** One per line, in the same order. */
  lineTaxCents: number[]
  shippingTaxCents: number
  /** 'VAT', 'Sales tax'; 'Tax' if several apply. */
  name: string
  /** Null if several rates apply. */
  ratePer100k: number | null
}

/** Hash that is equal for equal requests. As the idempotency key, it makes the provider charge for them once. */
export const hashTaxRequest = (request: TaxRequest): Promise<string> => sha256(JSON.stringify(request))

/** Computes tax at the provider. @throws ProviderRejected for an address it does not know, ProviderUnreachable. */
export type TaxCalculator = (request: TaxRequest) => Promise<TaxCalculation>

type PartialRefund = { refundId: string; amountCents: number }

export type WebhookDelivery = { payload: string; signature: string; at: Millis }

/** A verified event. `at` is the provider's time of the event. */
export type ProviderEvent = { id: string; type: string; at: Millis; isLive: boolean } & (
  | PaymentEvent
  | { kind: 'subscription'; subscriptionId: string }
  /** An event that we do not use. */
  | { kind: 'other' }
)
export type ProviderPaymentEvent = ProviderEvent & PaymentEvent

/** An event of a payment. `orderId` comes from the payment's metadata. */
export type PaymentEvent = { intentId: string | null; orderId: string | null } & (
  | { kind: 'succeeded'; amountCents: number; currency: string }
  | { kind: 'declined' }
  | { kind: 'canceled' }
  /** `refundedCents` is the sum of all refunds so far. */
  | { kind: 'refunded'; refundedCents: number }
  /** `refundId` is the id in `order_refunds`; null for a refund of the whole order. */
  | { kind: 'refund_failed'; refundId: string | null; amountCents: number }
  /** A dispute was opened. If `fundsWithdrawn`, it takes the money back, which a `withdrawn` event reports. */
  | { kind: 'dispute_opened'; fundsWithdrawn: boolean; amountCents: number; respondBy: Millis | null }
  | { kind: 'dispute_closed' }
  | { kind: 'withdrawn'; amountCents: number }
  | { kind: 'reinstated' }
)

/**
 * No response in time, or a temporary error such as 429: the call may have had an effect, and can be repeated with the
 * same idempotency key.
 */
export class ProviderUnreachable extends Error {
  override name = 'ProviderUnreachable'
}

/** The provider responded with a server error, which it stores under the idempotency key: retry with a new key. */
export class ProviderFailed extends ProviderUnreachable {
  override name = 'ProviderFailed'
}

/** The provider rejected the request. The message is the provider's error code. */
export class ProviderRejected extends Error {
  override name = 'ProviderRejected'
}

type ErrorMessages = { unreachable: string; rejected: string }

const mapErrors = <T>(response: Promise<T>, { unreachable, rejected }: ErrorMessages): Promise<T> =>
  response.catch((cause) => {
    if (cause instanceof ProviderUnreachable) throw new AppError('unavailable', unreachable, { cause })
    if (cause instanceof ProviderRejected) throw new AppError('conflict', rejected, { cause })
    throw cause
  })

/** Maps errors of an order's calls, none of which charges the buyer. @throws AppError `unavailable`, `conflict`. */
export const mapProviderErrors = <T>(response: Promise<T>): Promise<T> =>
  mapErrors(response, {
    unreachable: 'The payment service did not answer. Nothing was charged. Please try again.',
    rejected: 'The payment service rejected this request. Please refresh and try again.',
  })

/**
 * Maps errors of a subscription's calls, which may have charged the member.
 * @throws AppError like `mapProviderErrors`.
 */
export const mapBillingErrors = <T>(response: Promise<T>): Promise<T> =>
  mapErrors(response, {
    unreachable: 'The payment service did not answer. Please try again.',
    rejected: 'The payment service rejected the request. Please refresh and try again.',
  })
