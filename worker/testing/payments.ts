import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { vi } from 'vitest'
import type { PaymentIntent, TestCard, TestPaymentOutcome } from '../contract/checkout'
import type { Order } from '../contract/orders'
import type { Env } from '../env'
import { DAY_MS, MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { missions } from '../missions/missions.table'
import { orders } from '../orders/orders.table'
import { products, productVariants } from '../products/products.table'
import { type Browser, newBrowser, send } from './client'
import { addUser, db } from './fixtures'
import { NOON, seedSite } from './seed'
import { uniqueIp } from './users'

/** Demo mode uses the test payment provider. */
export const DEMO_ENV: Partial<Env> = { SITE_MODE: 'demo' }

export const ADDRESS = {
  name: 'A Fan',
  line1: '1 Any Street',
  city: 'Tampa',
  state: 'FL',
  postalCode: '33602',
  country: 'US',
}

let productCount = 0
/** Adds a product and returns its id. It is not shipped unless `ships`, so an order of it needs no address. */
export async function addProduct(stock: number, priceCents = 2000, ships = false): Promise<string> {
  const id = `product${++productCount}`
  await db.insert(products).values({
    id,
    slug: id,
    name: `Product ${productCount}`,
    description: '',
    priceCents,
    stock,
    kind: ships ? 'shipped' : 'pickup',
    position: productCount,
  })
  return id
}

/** Id of a product's first variant. */
export const variantOf = (productId: string) => `${productId}-1`

/** Replaces a product's variants by one for each value of an option; returns their ids. */
export async function addVariants(
  productId: string,
  option: string,
  values: readonly string[],
  { stock, priceCents = 2000 }: { stock: number; priceCents?: number },
): Promise<string[]> {
  const rows = values.map((value, index) => ({
    id: `${productId}-${value}`,
    productId,
    position: index + 1,
    name: value,
    options: { [option]: value },
    priceCents,
    stock,
  }))
  await db.insert(productVariants).values(rows)
  await db
    .update(productVariants)
    .set({ removedAt: NOON })
    .where(eq(productVariants.id, variantOf(productId)))
  return rows.map(({ id }) => id)
}

export const variantStock = (id: string) =>
  env.DB.prepare('SELECT stock FROM product_variants WHERE id = ?').bind(id).first<number>('stock')

/** Stock of a product, and `held`: its units reserved by orders. */
export async function stockOf(productId: string): Promise<{ stock: number; held: number }> {
  const row = await env.DB.prepare(
    'SELECT stock, (SELECT coalesce(sum(held), 0) FROM order_lines WHERE product_id = products.id) AS held FROM products WHERE id = ?',
  )
    .bind(productId)
    .first<{ stock: number; held: number }>()
  return row!
}

type IntentFields = Record<string, unknown> & { at?: number }

/** A buyer at the demo checkout with their own browser. */
export function newBuyer(browser: Browser = newBrowser({ address: uniqueIp(), env: DEMO_ENV })) {
  type IntentRef = Pick<PaymentIntent, 'orderId' | 'clientSecret'>
  type ConfirmOptions = { at?: number; secondStep?: 'approve' | 'refuse' }
  const requestIntent = (productId: string, { at = NOON, ...fields }: IntentFields = {}) =>
    browser.send(
      'POST',
      '/api/create-payment-intent',
      { amount: 20 * Number(fields.quantity ?? 1), productId, ...fields },
      { at },
    )
  const confirmCard = (
    { orderId, clientSecret }: IntentRef,
    card: TestCard = 'succeeds',
    { at = NOON, secondStep }: ConfirmOptions = {},
  ) => browser.send('POST', `/api/test-payments/${orderId}/confirm`, { clientSecret, card, secondStep }, { at })
  return {
    browser,
    /** Requests a payment intent, for $20 per unit unless `fields` overrides it. */
    requestIntent,
    confirmCard,
    async buy(productId: string, fields?: IntentFields): Promise<PaymentIntent> {
      const response = await requestIntent(productId, fields)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return response.json()
    },
    async pay(...args: Parameters<typeof confirmCard>): Promise<TestPaymentOutcome> {
      const response = await confirmCard(...args)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return response.json()
    },
    async order({ orderId, clientSecret }: IntentRef, at = NOON): Promise<Order> {
      const path = `/api/orders/${orderId}?client_secret=${encodeURIComponent(clientSecret ?? '')}`
      return (await browser.send('GET', path, undefined, { at })).json()
    },
  }
}

const WEBHOOK_SECRET = 'whsec_for_the_tests'
/** Cards through Stripe, with signed webhooks; scripts/fakes holds the fake API. */
export const STRIPE_ENV: Partial<Env> = {
  SITE_MODE: 'production',
  STRIPE_SECRET_KEY: 'sk_live_for_the_tests',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_for_the_tests',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
}

export type StripeEvent = { id: string; type: string; created: number; livemode: boolean; data: { object: unknown } }

let eventCount = 0
/** An event as Stripe sends it. */
export function stripeEvent(
  type: string,
  object: Record<string, unknown>,
  changes: Partial<StripeEvent> = {},
): StripeEvent {
  return { id: `evt_${++eventCount}`, type, created: NOON / SECOND_MS, livemode: true, data: { object }, ...changes }
}

/** Stripe's signature header. */
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

/** Posts a payload as is to the webhook. */
export async function postWebhook({ payload, signature, at = NOON, env = {} }: WebhookRequest): Promise<Response> {
  return send('POST', '/api/webhooks/stripe', undefined, {
    at,
    raw: payload,
    headers: { ...(signature !== null && { 'stripe-signature': signature }) },
    env: { ...STRIPE_ENV, ...env },
  })
}

/** Posts a signed event. */
export async function sendEvent(event: StripeEvent, { at = NOON, env = {} }: { at?: Millis; env?: Partial<Env> } = {}) {
  const payload = JSON.stringify({ object: 'event', ...event })
  return postWebhook({ payload, signature: await signPayload(payload, { at }), at, env })
}

/** Builders for the events of one payment. */
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
    created: (changes?: Partial<StripeEvent>) =>
      stripeEvent('payment_intent.created', { ...intent, amount_received: 0 }, changes),
    succeeded: (changes?: Partial<StripeEvent>, object = {}) =>
      stripeEvent('payment_intent.succeeded', { ...intent, amount_received: amountCents, ...object }, changes),
    failed: (changes?: Partial<StripeEvent>) => stripeEvent('payment_intent.payment_failed', intent, changes),
    canceled: (changes?: Partial<StripeEvent>) => stripeEvent('payment_intent.canceled', intent, changes),
    refunded: (refundedCents = amountCents, changes?: Partial<StripeEvent>) =>
      stripeEvent('charge.refunded', { ...charge, amount_refunded: refundedCents }, changes),
    refundFailed: (changes?: Partial<StripeEvent>, object = {}) =>
      stripeEvent(
        'refund.failed',
        { id: `re_${intentId}`, payment_intent: intentId, amount: amountCents, status: 'failed', ...object },
        changes,
      ),
    disputed: (status = 'needs_response', changes?: Partial<StripeEvent>) =>
      stripeEvent(
        'charge.dispute.created',
        { ...dispute, status, evidence_details: { due_by: (NOON + 10 * DAY_MS) / SECOND_MS } },
        changes,
      ),
    withdrawn: (changes?: Partial<StripeEvent>, amount = amountCents) =>
      stripeEvent('charge.dispute.funds_withdrawn', { ...dispute, amount, status: 'needs_response' }, changes),
    reinstated: (changes?: Partial<StripeEvent>) =>
      stripeEvent('charge.dispute.funds_reinstated', { ...dispute, status: 'won' }, changes),
    disputeClosed: (status: string, changes?: Partial<StripeEvent>) =>
      stripeEvent('charge.dispute.closed', { ...dispute, status }, changes),
  }
}

export async function setUpPayments(): Promise<void> {
  await seedSite(env.DB)
  await db.insert(missions).values({
    id: 'shopper',
    title: 'First purchase',
    description: '',
    points: 75,
    action: 'merch_purchase',
    target: 1,
    position: 1,
  })
}

/** Makes every call to Stripe fail with 401; tests check the refund request that the order stores instead. */
export function stubFailingProvider(): void {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ error: {} }, { status: 401 }))
}

/** Outcome of a paid order for the last unit. */
export const PAID_OUTCOME = { status: 'paid', held: 1, reason: null, stock: 0, points: 75 }

export const RESERVED_UNTIL = NOON + 15 * MINUTE_MS
type NewOrder = typeof orders.$inferInsert

/** An order of one unit at $20, created at NOON. */
export const addOrder = (row: Pick<NewOrder, 'id' | 'productId' | 'status'> & Partial<NewOrder>) =>
  db.insert(orders).values({ quantity: 1, unitPriceCents: 2000, amountCents: 2000, createdAt: NOON, ...row })

/**
 * Changes the quantity of an open order of one line at $20, like a checkout in another tab. The column
 * `orders.quantity` is always 1, see orders.table.ts.
 */
export const setQuantity = (d1: D1Database, id: string, quantity: number) =>
  d1.batch([
    d1.prepare('UPDATE orders SET held = 0 WHERE id = ?1').bind(id),
    d1.prepare('UPDATE order_lines SET quantity = ?2 WHERE order_id = ?1').bind(id, quantity),
    d1
      .prepare(
        `UPDATE orders SET quantity = 1, unit_price_cents = ?2 * 2000, units = ?2, lines_cents = ?2 * 2000, amount_cents = ?2 * 2000,
           revision = 2 WHERE id = ?1`,
      )
      .bind(id, quantity),
    d1.prepare('UPDATE orders SET held = units WHERE id = ?1').bind(id),
  ])

let orderCount = 0
/** An order with a Stripe payment, of one unit at $20 by default, and the builders of its events. */
export async function addStripeOrder({ stock = 1, ...row }: { stock?: number } & Partial<NewOrder> = {}) {
  orderCount += 1
  const id = `ord_${orderCount}`
  const intentId = `pi_${orderCount}`
  const productId = row.productId ?? (await addProduct(stock))
  const user = await addUser()
  await addOrder({
    id,
    productId,
    status: 'pending',
    held: 1,
    reservedUntil: RESERVED_UNTIL,
    provider: 'stripe',
    paymentIntentId: intentId,
    intentOpen: true,
    holder: 'a-browser',
    intentRevision: 1,
    userId: user.id,
    email: `buyer${orderCount}@mail.example`,
    ...row,
  })
  const getOutcome = async () => {
    const order = await env.DB.prepare('SELECT status, held, refund_reason AS reason FROM orders WHERE id = ?')
      .bind(id)
      .first<{ status: string; held: number; reason: string | null }>()
    const points = await env.DB.prepare('SELECT points FROM users WHERE id = ?')
      .bind(user.id)
      .first<{ points: number }>()
    return { ...order!, ...(await stockOf(productId)), points: points!.points }
  }
  /** Amount refunded, and whether a refund is pending or was rejected. */
  const getRefundState = () =>
    env.DB.prepare(
      `SELECT refunded_cents AS refunded, refund_wanted_at IS NOT NULL AS requested, refund_refused_at IS NOT NULL AS rejected
       FROM orders WHERE id = ?`,
    )
      .bind(id)
      .first<{ refunded: number; requested: number; rejected: number }>()
  return {
    id,
    productId,
    getOutcome,
    getRefundState,
    email: `buyer${orderCount}@mail.example`,
    events: paymentEvents({ orderId: id, intentId, amountCents: 2000 }),
  }
}
