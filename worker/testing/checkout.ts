import { env } from 'cloudflare:test'
import type { Order } from '../contract/orders'
import type { PaymentIntent, TestCard, TestPaymentOutcome } from '../contract/products'
import type { Env } from '../env'
import { products } from '../products/products.table'
import { type Browser, newBrowser } from './browser'
import { db } from './rows'
import { NOON } from './seed'
import { uniqueIp } from './users'

/** The demo, whose payments are the test provider's. */
export const DEMO_ENV: Partial<Env> = { SITE_MODE: 'demo' }

let productCount = 0
/** A product at $20 of which there are so many; one that is not sent, so that a test need not say where to. */
export async function addProduct(stock: number, priceCents = 2000, ships = false): Promise<string> {
  const id = `thing${++productCount}`
  await db
    .insert(products)
    .values({ id, name: `Thing ${productCount}`, description: '', priceCents, stock, ships, position: productCount })
  return id
}

/** What is left of a product, and what orders hold of it. */
export async function stockOf(productId: string): Promise<{ stock: number; held: number }> {
  const row = await env.DB.prepare(
    'SELECT stock, (SELECT coalesce(sum(held), 0) FROM orders WHERE product_id = p.id) AS held FROM products p WHERE id = ?',
  )
    .bind(productId)
    .first<{ stock: number; held: number }>()
  return row!
}

type IntentFields = Record<string, unknown> & { at?: number }

/** Somebody at the demo's checkout, in a browser of their own. */
export function newBuyer(browser: Browser = newBrowser({ address: uniqueIp(), env: DEMO_ENV })) {
  type IntentRef = Pick<PaymentIntent, 'orderId' | 'clientSecret'>
  type ConfirmOptions = { at?: number; secondStep?: 'approve' | 'refuse' }
  const requestIntent = (productId: string, { at = NOON, ...more }: IntentFields = {}) =>
    browser.send(
      'POST',
      '/api/create-payment-intent',
      { amount: 20 * Number(more.quantity ?? 1), productId, ...more },
      { at },
    )
  const confirmCard = (
    { orderId, clientSecret }: IntentRef,
    card: TestCard = 'succeeds',
    { at = NOON, secondStep }: ConfirmOptions = {},
  ) => browser.send('POST', `/api/test-payments/${orderId}/confirm`, { clientSecret, card, secondStep }, { at })
  return {
    browser,
    /** Asks for a payment of a product at $20 apiece, or of what `more` says. */
    requestIntent,
    confirmCard,
    async buy(productId: string, more?: IntentFields): Promise<PaymentIntent> {
      const response = await requestIntent(productId, more)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return response.json()
    },
    async pay(...args: Parameters<typeof confirmCard>): Promise<TestPaymentOutcome> {
      const response = await confirmCard(...args)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return response.json()
    },
    async order({ orderId, clientSecret }: IntentRef, at = NOON): Promise<Order> {
      const path = `/api/orders/${orderId}?client_secret=${encodeURIComponent(clientSecret)}`
      return (await browser.send('GET', path, undefined, { at })).json()
    },
  }
}
