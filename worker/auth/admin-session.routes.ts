import { Hono } from 'hono'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { type AdminSession, adminSessionApi } from '../contract/admin-session'
import type { AppEnv } from '../http/app-env'
import { depsWithD1 } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { type Millis, SECOND_MS } from '../lib/clock'
import { clearCookie, readCookie, SESSION_COOKIE, setSessionCookie } from './cookies'
import { rememberDevice } from './device'
import { requireSecondFactor } from './second-factor'
import { createSession, readSession, revokeSessionStatement, SESSION_TTL_MS } from './sessions'
import { authenticate } from './start-session'

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
    await requireSecondFactor(depsWithD1(c), user.id, c.req.valid('json').code, now)

    const previous = await readSession(
      c.env.SESSIONS,
      'administrator',
      readCookie(c, SESSION_COOKIE.administrator),
      now,
    )
    const { token, session } = await createSession(
      c.env.SESSIONS,
      'administrator',
      { userId: user.id, epoch: user.epoch },
      now,
    )
    await c.env.DB.batch([
      recordAudit(c.env.DB, { actorId: user.id, action: 'session.opened', at: now }),
      ...(previous ? [revokeSessionStatement(c.env.DB, previous)] : []),
    ])
    setSessionCookie(c, 'administrator', token)
    await rememberDevice(c, user.id)
    return c.json(toAdminSession(user.username, session.createdAt, now))
  },
)

adminSessionRoutes.get(adminSessionApi.session.path, async (c) => {
  const { username, session } = await c.var.session.requireAdmin()
  return c.json(toAdminSession(username, session.createdAt, c.var.now()))
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
      revokeSessionStatement(c.env.DB, session),
      // A cookie that was closed before closes nothing, whoever holds it.
      recordAuditIfChanged(c.env.DB, { actorId: session.userId, action: 'session.closed', at: c.var.now() }),
    ])
    await c.env.SESSIONS.delete(session.key).catch(() => undefined)
  }
  clearCookie(c, SESSION_COOKIE.administrator)
  return c.body(null, 204)
})

const wrongCredentialsError = () => new AppError('bad_credentials', 'Invalid username or password')

function toAdminSession(username: string, createdAt: Millis, now: Millis): AdminSession {
  const end = createdAt + SESSION_TTL_MS.administrator.absolute
  return { username, expiresAt: new Date(end).toISOString(), secondsLeft: Math.ceil((end - now) / SECOND_MS) }
}
