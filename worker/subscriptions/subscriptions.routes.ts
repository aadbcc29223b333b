import { type Context, Hono } from 'hono'
import { type SubscriptionStatus, subscriptionsApi } from '../contract/subscriptions'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { siteOrigin } from '../http/site-origin'
import { body } from '../http/validate'
import { Refused } from '../lib/refused'
import { paymentsOf } from '../payments/payments.middleware'
import { tierNamed } from '../tiers/gates'
import { portal, subscribe, subscriptionOf } from './subscriptions'

export const subscriptionsRoutes = new Hono<AppEnv>()

const off = () => new Refused('subscriptions_off', 'Subscription payments will be available soon.')

/** Ruling 26: with the flag off nothing is sold. */
function mustSell(c: Context<AppEnv>) {
  const billing = c.var.config.subscriptions?.selling ? paymentsOf(c)?.billing : null
  if (!billing) throw off()
  return { db: c.var.db, billing, origin: siteOrigin(c), secret: c.var.config.signingSecret, at: c.var.now() }
}

subscriptionsRoutes.post(
  subscriptionsApi.checkout.path,
  limited('LIMIT_WRITES', 'person'),
  body(subscriptionsApi.checkout),
  async (c) => {
    const hands = mustSell(c)
    const tier = tierNamed(c.req.valid('json').tier)
    if (tier === 'bronze') throw new Refused('bad_input', 'Bronze is free: there is nothing to pay for.')
    return c.json({ url: await subscribe(hands, await c.var.session.supporter(), tier) })
  },
)

subscriptionsRoutes.post(subscriptionsApi.portal.path, limited('LIMIT_WRITES', 'person'), async (c) => {
  const person = await c.var.session.supporter()
  // Who pays must be able to stop, also where nothing is sold any more.
  const billing = paymentsOf(c)?.billing
  const url = billing ? await portal({ db: c.var.db, billing, origin: siteOrigin(c) }, person) : null
  if (url !== null) return c.json({ url })
  if (!c.var.config.subscriptions?.selling) throw off()
  throw new Refused('conflict', 'You have no subscription yet.')
})

subscriptionsRoutes.get(subscriptionsApi.status.path, async (c) => {
  const hands = { db: c.var.db, secret: c.var.config.signingSecret }
  return c.json((await subscriptionOf(hands, await c.var.session.supporter())) satisfies SubscriptionStatus)
})
