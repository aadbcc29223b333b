import { Hono } from 'hono'
import { renderSVG } from 'uqr'
import { recordAuditIfChanged } from '../audit/audit'
import { adminSessionApi } from '../contract/admin'
import type { AppEnv } from '../http/app-env'
import { depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { readSite } from '../site/site'
import { clearCookie, readCookie, SESSION_COOKIE } from './cookies'
import { reauthenticate, sendReauthenticationCode } from './reauthentication'
import {
  confirmSecondFactor,
  disableSecondFactor,
  enrollSecondFactor,
  readSecondFactorStatus,
  requireSecondFactor,
} from './second-factor'
import { readSession, revokeSessionStatement } from './sessions'
import { authenticate, startAdminSession, startSession, toAdminSession } from './start-session'

export const adminSessionRoutes = new Hono<AppEnv>()

adminSessionRoutes.post(
  adminSessionApi.login.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(adminSessionApi.login),
  async (c) => {
    const now = c.var.now()
    const user = await authenticate(c, c.req.valid('json')).catch((error) => {
      throw error instanceof AppError && error.code === 'bad_credentials' ? wrongCredentialsError() : error
    })
    if (user.role !== 'administrator') throw wrongCredentialsError()
    await requireSecondFactor(depsOf(c), user.id, c.req.valid('json').code, now)

    return c.json(await startAdminSession(c, user))
  },
)

// Starts a new session instead of updating the old one, which KV could serve unchanged for another minute.
adminSessionRoutes.post(
  adminSessionApi.reauthenticate.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(adminSessionApi.reauthenticate),
  async (c) => {
    const caller = await c.var.session.requireAdmin()
    const input = c.req.valid('json')
    const credentials =
      'emailedCode' in input ? { code: input.emailedCode } : { password: input.password, secondFactorCode: input.code }
    await reauthenticate(depsOf(c), caller, credentials, c.var.now())
    return c.json(await startAdminSession(c, { ...caller, id: caller.userId, epoch: caller.session.epoch }))
  },
)

adminSessionRoutes.post(adminSessionApi.sendReauthenticationCode.path, rateLimit('LIMIT_MAIL'), async (c) => {
  const caller = await c.var.session.requireAdmin()
  if (!caller.emailVerified) throw new AppError('confirm_email', 'Please confirm your email address first.')
  await sendReauthenticationCode(depsOf(c), caller, c.var.now())
  return c.body(null, 202)
})

adminSessionRoutes.get(adminSessionApi.session.path, async (c) => {
  const { session, ...caller } = await c.var.session.requireAdmin()
  return c.json(toAdminSession(caller, session.createdAt, c.var.now()))
})

adminSessionRoutes.post(adminSessionApi.logout.path, async (c) => {
  const session = await readSession(
    c.env.SESSIONS,
    'administrator',
    readCookie(c, SESSION_COOKIE.administrator),
    c.var.now(),
  )
  if (session) {
    await c.env.DB.batch([
      revokeSessionStatement(c.var.db, session),
      // Audited only if this request revoked the session.
      recordAuditIfChanged(c.var.db, { actorId: session.userId, action: 'session.closed', at: c.var.now() }),
    ])
    await c.env.SESSIONS.delete(session.key).catch(() => undefined)
  }
  clearCookie(c, SESSION_COOKIE.administrator)
  return c.body(null, 204)
})

const wrongCredentialsError = () => new AppError('bad_credentials', 'Invalid username or password')

export const secondFactorRoutes = new Hono<AppEnv>()

secondFactorRoutes.get(adminSessionApi.secondFactor.path, async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  return c.json(await readSecondFactorStatus(c.var.db, userId))
})

secondFactorRoutes.post(adminSessionApi.enrollSecondFactor.path, rateLimit('LIMIT_WRITES'), async (c) => {
  const caller = await c.var.session.requireAdmin()
  const { name } = await readSite(c.var.db)
  const { secret, uri } = await enrollSecondFactor(depsOf(c), caller, name)
  return c.json({ secret, uri, qr: renderSVG(uri, { border: 2 }) })
})

secondFactorRoutes.post(
  adminSessionApi.confirmSecondFactor.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(adminSessionApi.confirmSecondFactor),
  async (c) => {
    const caller = await c.var.session.requireAdmin()
    const supporter = await c.var.session.user()
    const { recoveryCodes, epoch } = await confirmSecondFactor(depsOf(c), caller, c.req.valid('json').code, c.var.now())
    const user = { ...caller, id: caller.userId, epoch }
    await startAdminSession(c, user)
    if (supporter?.userId === caller.userId) await startSession(c, user, { provenAt: supporter.session.provenAt })
    return c.json({ recoveryCodes })
  },
)

secondFactorRoutes.post(
  adminSessionApi.disableSecondFactor.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(adminSessionApi.disableSecondFactor),
  async (c) => {
    const { userId } = await c.var.session.requireAdmin()
    await disableSecondFactor(depsOf(c), userId, c.req.valid('json').code, c.var.now())
    return c.body(null, 204)
  },
)
