import { type Context, Hono } from 'hono'
import { accountApi, authApi } from '../contract/auth'
import type { AppEnv } from '../http/app-env'
import { depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { getAccount, updateAccountSettings } from '../users/account'
import { changePassword } from './change-password'
import type { Caller } from './current-user'
import { requestEmailChange } from './email-change'
import { REAUTHENTICATION_TTL_MS, reauthenticate, sendReauthenticationCode } from './reauthentication'
import { startSession } from './start-session'

export const accountRoutes = new Hono<AppEnv>()

const accountOf = (c: Context<AppEnv>, { userId, session }: Caller) =>
  getAccount(c.var.db, userId, { provenUntil: session.provenAt + REAUTHENTICATION_TTL_MS, now: c.var.now() })

accountRoutes.get(accountApi.account.path, async (c) => {
  return c.json(await accountOf(c, await c.var.session.requireSupporter()))
})

accountRoutes.patch(
  accountApi.settings.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(accountApi.settings),
  async (c) => {
    const caller = await c.var.session.requireSupporter()
    await updateAccountSettings(depsOf(c), caller.userId, c.req.valid('json'))
    return c.json(await accountOf(c, caller))
  },
)

accountRoutes.post(
  accountApi.changeEmail.path,
  rateLimit('LIMIT_MAIL'),
  validateBody(accountApi.changeEmail),
  async (c) => {
    const caller = await c.var.session.requireSupporter()
    await requestEmailChange(depsOf(c), caller, c.req.valid('json').email, c.var.now())
    return c.body(null, 202)
  },
)

accountRoutes.post(
  authApi.changePassword.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(authApi.changePassword),
  async (c) => {
    const caller = await c.var.session.requireSupporter()
    const { epoch } = await changePassword(depsOf(c), caller, c.req.valid('json'), c.var.now())
    await startSession(c, { ...caller, id: caller.userId, epoch })
    return c.body(null, 204)
  },
)

// Starts a new session instead of updating the old one, which KV could serve unchanged for another minute.
accountRoutes.post(
  authApi.reauthenticate.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(authApi.reauthenticate),
  async (c) => {
    const caller = await c.var.session.requireSupporter()
    await reauthenticate(depsOf(c), caller, c.req.valid('json'), c.var.now())
    await startSession(c, { ...caller, id: caller.userId, epoch: caller.session.epoch })
    return c.body(null, 204)
  },
)

accountRoutes.post(authApi.sendReauthenticationCode.path, rateLimit('LIMIT_MAIL'), async (c) => {
  await sendReauthenticationCode(depsOf(c), await c.var.session.requireSupporter(), c.var.now())
  return c.body(null, 202)
})
