import { Hono } from 'hono'
import { stockAlertsApi } from '../contract/stock-alerts'
import type { AppEnv } from '../http/app-env'
import { clientNetwork48 } from '../http/client-address'
import { depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { requireTurnstile } from '../http/turnstile'
import { validateBody } from '../http/validate'
import { addStockAlert, confirmStockAlert } from './stock-alerts'

export const stockAlertsRoutes = new Hono<AppEnv>()

stockAlertsRoutes.post(
  stockAlertsApi.add.path,
  rateLimit('LIMIT_MAIL'),
  validateBody(stockAlertsApi.add),
  requireTurnstile('stock_alert'),
  async (c) => {
    const { variantId, email } = c.req.valid('json')
    const userId = (await c.var.session.userIfAvailable())?.userId ?? null
    await addStockAlert(depsOf(c), { variantId, email, userId, network: clientNetwork48(c), at: c.var.now() })
    return c.body(null, 202)
  },
)

stockAlertsRoutes.post(
  stockAlertsApi.confirm.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(stockAlertsApi.confirm),
  async (c) => {
    await confirmStockAlert(depsOf(c), c.req.valid('json').token, c.var.now())
    return c.json({ confirmed: true } as const)
  },
)
