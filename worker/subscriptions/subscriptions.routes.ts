import { type Context, Hono } from 'hono'
import { type SubscriptionStatus, subscriptionsApi } from '../contract/subscriptions'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { getPayments } from '../payments/request-payments'
import { createSubscriptionCheckout, getSubscriptionStatus, openBillingPortal } from './subscriptions'
import { parseTierName } from './tier-access'

export const subscriptionsRoutes = new Hono<AppEnv>()

const subscriptionsOffError = () => new AppError('subscriptions_off', 'Subscription payments will be available soon.')

/** What a checkout needs. @throws AppError `subscriptions_off` while the site sells no subscriptions. */
function requireSelling(c: Context<AppEnv>) {
  const billing = c.var.config.subscriptions?.isSelling ? getPayments(c)?.billing : null
  if (!billing) throw subscriptionsOffError()
  return { db: c.var.db, billing, origin: siteOrigin(c), secret: c.var.config.signingSecret, at: c.var.now() }
}

subscriptionsRoutes.post(
  subscriptionsApi.checkout.path,
  rateLimit('LIMIT_WRITES', 'user'),
  validateBody(subscriptionsApi.checkout),
  async (c) => {
    const deps = requireSelling(c)
    const tier = parseTierName(c.req.valid('json').tier)
    if (tier === 'bronze') throw new AppError('bad_input', 'Bronze is free: there is nothing to pay for.')
    return c.json({ url: await createSubscriptionCheckout(deps, await c.var.session.requireSupporter(), tier) })
  },
)

subscriptionsRoutes.post(subscriptionsApi.portal.path, rateLimit('LIMIT_WRITES', 'user'), async (c) => {
  const user = await c.var.session.requireSupporter()
  // Subscribers can cancel even if selling is off.
  const billing = getPayments(c)?.billing
  const url = billing ? await openBillingPortal({ db: c.var.db, billing, origin: siteOrigin(c) }, user) : null
  if (url !== null) return c.json({ url })
  if (!c.var.config.subscriptions?.isSelling) throw subscriptionsOffError()
  throw new AppError('conflict', 'You have no subscription yet.')
})

subscriptionsRoutes.get(subscriptionsApi.status.path, async (c) => {
  const deps = { db: c.var.db, secret: c.var.config.signingSecret }
  return c.json(
    (await getSubscriptionStatus(deps, await c.var.session.requireSupporter())) satisfies SubscriptionStatus,
  )
})
