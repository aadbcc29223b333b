import { Hono } from 'hono'
import { accountApi, authApi } from '../contract/auth'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { accountOf, changePassword, changeSettings } from './account'
import { dropOwnCookie, SESSION_COOKIE } from './cookies'
import { enter, houseOf } from './enter'
import { eraseAccount } from './erasure'
import { ownData } from './own-data'
import { ownDataPage } from './own-data-page'
import { mailCode, prove, requireProof } from './proof'

export const accountRoutes = new Hono<AppEnv>()

accountRoutes.get(accountApi.account.path, async (c) => {
  return c.json(await accountOf(c.env.DB, await c.var.session.supporter()))
})

accountRoutes.patch(accountApi.settings.path, limited('LIMIT_WRITES'), body(accountApi.settings), async (c) => {
  const caller = await c.var.session.supporter()
  await changeSettings(houseOf(c), caller.userId, c.req.valid('json'))
  return c.json(await accountOf(c.env.DB, caller))
})

accountRoutes.post(authApi.changePassword.path, limited('LIMIT_AUTH'), body(authApi.changePassword), async (c) => {
  const caller = await c.var.session.supporter()
  const { epoch } = await changePassword(houseOf(c), caller, c.req.valid('json'), c.var.now())
  await enter(c, { id: caller.userId, epoch })
  return c.body(null, 204)
})

// A new session and not a newer date on the old one: KV would go on serving the old record for a minute.
accountRoutes.post(authApi.confirm.path, limited('LIMIT_AUTH'), body(authApi.confirm), async (c) => {
  const caller = await c.var.session.supporter()
  await prove(houseOf(c), caller, c.req.valid('json'), c.var.now())
  await enter(c, { id: caller.userId, epoch: caller.claim.epoch })
  return c.body(null, 204)
})

accountRoutes.post(authApi.mailCode.path, limited('LIMIT_MAIL'), async (c) => {
  await mailCode(houseOf(c), await c.var.session.supporter(), c.var.now())
  return c.body(null, 202)
})

accountRoutes.get(accountApi.export.path, async (c) => {
  const { userId, claim } = await c.var.session.supporter()
  requireProof(claim, c.var.now())
  const data = await ownData({ db: c.env.DB, secret: c.var.config.signingSecret }, userId, c.var.now())
  if (c.req.query('format') === 'html') {
    c.header('content-disposition', 'attachment; filename="my-data.html"')
    return c.html(ownDataPage(data, new URL(houseOf(c).origin).host))
  }
  c.header('content-disposition', 'attachment; filename="my-data.json"')
  return c.json(data)
})

accountRoutes.delete(accountApi.erase.path, limited('LIMIT_AUTH'), body(accountApi.erase), async (c) => {
  const caller = await c.var.session.supporter()
  await prove(houseOf(c), caller, c.req.valid('json'), c.var.now())
  await eraseAccount(houseOf(c), { userId: caller.userId, asked: true }, c.var.now())
  dropOwnCookie(c, SESSION_COOKIE.supporter)
  return c.body(null, 204)
})
