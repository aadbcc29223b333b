import Stripe from 'stripe'
import type { Env } from '../env'
import { type Millis, SECOND_MS } from '../lib/clock'
import { send } from './client'
import { NOON } from './seed'

/** A deployment that takes cards through Stripe: what it is told comes signed; who it asks stands in scripts/fakes. */
export const WEBHOOK_SECRET = 'whsec_for_the_tests'
export const STRIPE_ENV: Partial<Env> = {
  SITE_MODE: 'production',
  STRIPE_SECRET_KEY: 'sk_live_for_the_tests',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_for_the_tests',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
}

export type Event = { id: string; type: string; created: number; livemode: boolean; data: { object: unknown } }

let eventCount = 0
/** An event as Stripe writes it. */
export function stripeEvent(type: string, object: Record<string, unknown>, more: Partial<Event> = {}): Event {
  return { id: `evt_${++eventCount}`, type, created: NOON / SECOND_MS, livemode: true, data: { object }, ...more }
}

/** The signature of a payload, made at `at`. */
export const signPayload = (
  payload: string,
  { at = NOON, secret = WEBHOOK_SECRET }: { at?: Millis; secret?: string } = {},
) =>
  Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
    timestamp: Math.floor(at / SECOND_MS),
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
  })

type WebhookRequest = { payload: string; signature: string | null; at?: Millis; env?: Partial<Env> }

/** Posts to the webhook, exactly these bytes and this signature. */
export async function postWebhook({ payload, signature, at = NOON, env = {} }: WebhookRequest): Promise<Response> {
  return send('POST', '/api/webhooks/stripe', undefined, {
    at,
    raw: payload,
    headers: { ...(signature !== null && { 'stripe-signature': signature }) },
    env: { ...STRIPE_ENV, ...env },
  })
}

/** Posts an event that is signed as it should be. */
export async function sendEvent(event: Event, { at = NOON, env = {} }: { at?: Millis; env?: Partial<Env> } = {}) {
  const payload = JSON.stringify({ object: 'event', ...event })
  return postWebhook({ payload, signature: await signPayload(payload, { at }), at, env })
}

/** The events of one payment. */
export function paymentEvents({
  orderId,
  intentId,
  amountCents,
}: {
  orderId: string
  intentId: string
  amountCents: number
}) {
  const intent = { id: intentId, object: 'payment_intent', currency: 'usd', metadata: { order_id: orderId } }
  const charge = { id: `ch_${intentId}`, payment_intent: intentId, metadata: { order_id: orderId } }
  const dispute = { id: `dp_${intentId}`, payment_intent: intentId, amount: amountCents }
  return {
    created: (more?: Partial<Event>) => stripeEvent('payment_intent.created', { ...intent, amount_received: 0 }, more),
    succeeded: (more?: Partial<Event>, object = {}) =>
      stripeEvent('payment_intent.succeeded', { ...intent, amount_received: amountCents, ...object }, more),
    failed: (more?: Partial<Event>) => stripeEvent('payment_intent.payment_failed', intent, more),
    canceled: (more?: Partial<Event>) => stripeEvent('payment_intent.canceled', intent, more),
    refunded: (refundedCents = amountCents, more?: Partial<Event>) =>
      stripeEvent('charge.refunded', { ...charge, amount_refunded: refundedCents }, more),
    refundFailed: (more?: Partial<Event>) =>
      stripeEvent('refund.failed', { id: `re_${intentId}`, payment_intent: intentId, status: 'failed' }, more),
    disputed: (status = 'needs_response', more?: Partial<Event>) =>
      stripeEvent(
        'charge.dispute.created',
        { ...dispute, status, evidence_details: { due_by: NOON / SECOND_MS + 864_000 } },
        more,
      ),
    withdrawn: (more?: Partial<Event>, amount = amountCents) =>
      stripeEvent('charge.dispute.funds_withdrawn', { ...dispute, amount, status: 'needs_response' }, more),
    reinstated: (more?: Partial<Event>) =>
      stripeEvent('charge.dispute.funds_reinstated', { ...dispute, status: 'won' }, more),
    disputeClosed: (status: string, more?: Partial<Event>) =>
      stripeEvent('charge.dispute.closed', { ...dispute, status }, more),
  }
}
