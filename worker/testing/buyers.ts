import { env } from 'cloudflare:test'
import type { Env } from '../config'
import type { Order } from '../contract/orders'
import type { PaymentIntent, TestCard, TestPaymentOutcome } from '../contract/shop'
import { products } from '../shop/shop.table'
import { type Browser, newBrowser } from './browser'
import { NOON } from './furnish'
import { freshAddress } from './people'
import { db } from './rows'

/** The demo, whose payments are the test provider's. */
export const DEMO: Partial<Env> = { SITE_MODE: 'demo' }

let made = 0
/** A product at $20 of which there are so many; one that is not sent, so that a test need not say where to. */
export async function addProduct(stock: number, priceCents = 2000, ships = false): Promise<string> {
  const id = `thing${++made}`
  await db
    .insert(products)
    .values({ id, name: `Thing ${made}`, description: '', priceCents, stock, ships, position: made })
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

type More = Record<string, unknown> & { at?: number }

/** Somebody at the demo's checkout, in a browser of their own. */
export function newBuyer(browser: Browser = newBrowser({ address: freshAddress(), env: DEMO })) {
  type Paid = Pick<PaymentIntent, 'orderId' | 'clientSecret'>
  type Try = { at?: number; secondStep?: 'approve' | 'refuse' }
  const ask = (productId: string, { at = NOON, ...more }: More = {}) =>
    browser.send(
      'POST',
      '/api/create-payment-intent',
      { amount: 20 * Number(more.quantity ?? 1), productId, ...more },
      { at },
    )
  const tryCard = ({ orderId, clientSecret }: Paid, card: TestCard = 'succeeds', { at = NOON, secondStep }: Try = {}) =>
    browser.send('POST', `/api/test-payments/${orderId}/confirm`, { clientSecret, card, secondStep }, { at })
  return {
    browser,
    /** Asks for a payment of a product at $20 apiece, or of what `more` says. */
    ask,
    tryCard,
    async buy(productId: string, more?: More): Promise<PaymentIntent> {
      const answer = await ask(productId, more)
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      return answer.json()
    },
    async pay(...given: Parameters<typeof tryCard>): Promise<TestPaymentOutcome> {
      const answer = await tryCard(...given)
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      return answer.json()
    },
    async order({ orderId, clientSecret }: Paid, at = NOON): Promise<Order> {
      const path = `/api/orders/${orderId}?client_secret=${encodeURIComponent(clientSecret)}`
      return (await browser.send('GET', path, undefined, { at })).json()
    },
  }
}
