import { type FakeStripe, fakeStripe } from '../fakes/stripe.ts'
import { atOnce, openHouse, tally } from '../races/house.ts'

export { atOnce, tally }

type Intent = { clientSecret: string; orderId: string; amountCents: number }

/** The built worker, whose Stripe is the fake one: the real SDK speaks to it over HTTP. */
export async function openShop(vars: Record<string, string> = {}) {
  const stripe: FakeStripe = await fakeStripe()
  const house = await openHouse({
    SITE_MODE: 'demo',
    STRIPE_SECRET_KEY: 'sk_test_fake',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_fake',
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_BASE: stripe.url,
    ...vars,
  })
  const webhook = `${house.base.origin}/api/webhooks/stripe`
  let made = 0
  let given = 0

  return {
    ...house,
    stripe,
    async newProduct(stock: number): Promise<string> {
      const id = `thing${++made}`
      await house.run(
        `INSERT INTO products (id, name, description, price_cents, stock, position) VALUES (?1, ?1, '', 2000, ?2, ?3)`,
        id,
        stock,
        made + 10,
      )
      return id
    },
    buy: (productId: string, more: Record<string, unknown> = {}) =>
      house.askOnce<Intent>('POST', '/api/create-payment-intent', {
        amount: 20 * Number(more.quantity ?? 1),
        productId,
        ...more,
      }),
    order: async ({ orderId, clientSecret }: Intent) =>
      (
        await house.askOnce<{ status: string; message: string | null; amountCents: number; quantity: number }>(
          'GET',
          `/api/orders/${orderId}?client_secret=${clientSecret}`,
          undefined,
        )
      ).json,
    stockOf: async (productId: string) =>
      (await house.rows<{ stock: number }>('SELECT stock FROM products WHERE id = ?1', productId))[0]?.stock,
    /** Delivers what the fake has to tell and has not told; gives the statuses. */
    async deliverAll(): Promise<number[]> {
      const fresh = stripe.events.slice(given)
      given = stripe.events.length
      const statuses: number[] = []
      for (const event of fresh) statuses.push(await stripe.deliver(event, webhook))
      return statuses
    },
    /** What has happened is never told: the events of it are lost. */
    skip: () => {
      given = stripe.events.length
    },
    deliver: (event: FakeStripe['events'][number]) => stripe.deliver(event, webhook),
    async close() {
      await house.close()
      await stripe.close()
    },
  }
}
export type Shop = Awaited<ReturnType<typeof openShop>>
