import { type FakeStripe, startFakeStripe } from '../fakes/stripe.ts'
import { startTestServer } from '../races/test-server.ts'

type Intent = { clientSecret: string; orderId: string; amountCents: number }

/** Price of the products of `addProduct`. */
const PRICE_CENTS = 2000

/** Starts the built worker against a fake Stripe server. `buy` creates a payment intent; `stripe.confirm` pays it. */
export async function startTestShop(vars: Record<string, string> = {}) {
  const stripe: FakeStripe = await startFakeStripe()
  const server = await startTestServer({
    SITE_MODE: 'demo',
    STRIPE_SECRET_KEY: 'sk_test_fake',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_fake',
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_BASE: stripe.url,
    ...vars,
  })
  const webhookUrl = `${server.base.origin}/api/webhooks/stripe`
  let productCount = 0
  let deliveredCount = 0

  return {
    ...server,
    stripe,
    async addProduct(stock: number): Promise<string> {
      const id = `product${++productCount}`
      await server.run(
        `INSERT INTO products (id, slug, name, description, price_cents, stock, position) VALUES (?1, ?1, ?1, '', ${PRICE_CENTS}, ?2, ?3)`,
        id,
        stock,
        productCount + 10,
      )
      return id
    },
    buy: (productId: string, fields: Record<string, unknown> = {}) =>
      server.requestOnce<Intent>('POST', '/api/create-payment-intent', {
        amount: (PRICE_CENTS / 100) * Number(fields.quantity ?? 1),
        productId,
        ...fields,
      }),
    readOrder: async ({ orderId, clientSecret }: Intent) =>
      (
        await server.requestOnce<{ status: string; message: string | null; amountCents: number; quantity: number }>(
          'GET',
          `/api/orders/${orderId}?client_secret=${clientSecret}`,
          undefined,
        )
      ).body,
    stockOf: async (productId: string) =>
      (await server.rows<{ stock: number }>('SELECT stock FROM products WHERE id = ?1', productId))[0]?.stock,
    /** Delivers the events that are neither delivered nor skipped; returns the webhook's response statuses. */
    async deliverNewEvents(): Promise<number[]> {
      const newEvents = stripe.events.slice(deliveredCount)
      deliveredCount = stripe.events.length
      const statuses: number[] = []
      for (const event of newEvents) statuses.push(await stripe.deliver(event, webhookUrl))
      return statuses
    },
    /** Later calls of `deliverNewEvents` leave out the events until now, as if they were lost. */
    skipEvents: () => {
      deliveredCount = stripe.events.length
    },
    deliver: (event: FakeStripe['events'][number]) => stripe.deliver(event, webhookUrl),
    async close() {
      await server.close()
      await stripe.close()
    },
  }
}
export type Shop = Awaited<ReturnType<typeof startTestShop>>
