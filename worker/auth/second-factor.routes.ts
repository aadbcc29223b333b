import { Hono } from 'hono'
import { renderSVG } from 'uqr'
import { adminSessionApi } from '../contract/admin-session'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { artist } from '../site/site'
import { houseOf } from './enter'
import { requireProof } from './proof'
import { beginSecondFactor, confirmSecondFactor, endSecondFactor, secondFactorOf } from './second-factor'

export const secondFactorRoutes = new Hono<AppEnv>()

secondFactorRoutes.get(adminSessionApi.secondFactor.path, async (c) => {
  const { userId } = await c.var.session.administrator()
  return c.json(await secondFactorOf(c.env.DB, userId))
})

secondFactorRoutes.post(adminSessionApi.beginSecondFactor.path, limited('LIMIT_WRITES'), async (c) => {
  const caller = await c.var.session.administrator()
  requireProof(caller.claim, c.var.now())
  const { name } = await artist(c.var.db)
  const { secret, uri } = await beginSecondFactor(houseOf(c), caller, name)
  return c.json({ secret, uri, qr: renderSVG(uri, { border: 2 }) })
})

secondFactorRoutes.post(
  adminSessionApi.confirmSecondFactor.path,
  limited('LIMIT_AUTH'),
  body(adminSessionApi.confirmSecondFactor),
  async (c) => {
    const { userId } = await c.var.session.administrator()
    const recoveryCodes = await confirmSecondFactor(houseOf(c), userId, c.req.valid('json').code, c.var.now())
    return c.json({ recoveryCodes })
  },
)

secondFactorRoutes.post(
  adminSessionApi.endSecondFactor.path,
  limited('LIMIT_AUTH'),
  body(adminSessionApi.endSecondFactor),
  async (c) => {
    const { userId } = await c.var.session.administrator()
    await endSecondFactor(houseOf(c), userId, c.req.valid('json').code, c.var.now())
    return c.body(null, 204)
  },
)
