import { Hono } from 'hono'
import { renderSVG } from 'uqr'
import { adminSessionApi } from '../contract/admin-session'
import type { AppEnv } from '../http/app-env'
import { depsWithD1 } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { readSite } from '../site/site'
import { requireRecentAuthentication } from './reauthentication'
import { confirmSecondFactor, disableSecondFactor, enrollSecondFactor, secondFactorStatus } from './second-factor'

export const secondFactorRoutes = new Hono<AppEnv>()

secondFactorRoutes.get(adminSessionApi.secondFactor.path, async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  return c.json(await secondFactorStatus(c.env.DB, userId))
})

secondFactorRoutes.post(adminSessionApi.beginSecondFactor.path, rateLimit('LIMIT_WRITES'), async (c) => {
  const caller = await c.var.session.requireAdmin()
  requireRecentAuthentication(caller.session, c.var.now())
  const { name } = await readSite(c.var.db)
  const { secret, uri } = await enrollSecondFactor(depsWithD1(c), caller, name)
  return c.json({ secret, uri, qr: renderSVG(uri, { border: 2 }) })
})

secondFactorRoutes.post(
  adminSessionApi.confirmSecondFactor.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(adminSessionApi.confirmSecondFactor),
  async (c) => {
    const { userId } = await c.var.session.requireAdmin()
    const recoveryCodes = await confirmSecondFactor(depsWithD1(c), userId, c.req.valid('json').code, c.var.now())
    return c.json({ recoveryCodes })
  },
)

secondFactorRoutes.post(
  adminSessionApi.endSecondFactor.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(adminSessionApi.endSecondFactor),
  async (c) => {
    const { userId } = await c.var.session.requireAdmin()
    await disableSecondFactor(depsWithD1(c), userId, c.req.valid('json').code, c.var.now())
    return c.body(null, 204)
  },
)
