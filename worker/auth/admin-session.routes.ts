import { Hono } from 'hono'
import { recorded, recordedIfChanged } from '../audit/audit'
import { type AdminSession, adminSessionApi } from '../contract/admin-session'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { type Millis, SECOND } from '../lib/clock'
import { Refused } from '../lib/refused'
import { dropOwnCookie, ownCookie, SESSION_COOKIE, setSessionCookie } from './cookies'
import { rememberDevice } from './device'
import { houseOf, identify } from './enter'
import { passSecondFactor } from './second-factor'
import { claimOf, openSession, revocation, SESSION_LIFE } from './sessions'

export const adminSessionRoutes = new Hono<AppEnv>()

adminSessionRoutes.post(adminSessionApi.login.path, limited('LIMIT_AUTH'), body(adminSessionApi.login), async (c) => {
  const now = c.var.now()
  const person = await identify(c, c.req.valid('json')).catch((error) => {
    throw error instanceof Refused && error.code === 'bad_credentials' ? wrong() : error
  })
  if (person.role !== 'administrator') throw wrong()
  await passSecondFactor(houseOf(c), person.id, c.req.valid('json').code, now)

  const before = await claimOf(c.env.SESSIONS, 'administrator', ownCookie(c, SESSION_COOKIE.administrator), now)
  const { token, claim } = await openSession(
    c.env.SESSIONS,
    'administrator',
    { userId: person.id, epoch: person.epoch },
    now,
  )
  await c.env.DB.batch([
    recorded(c.env.DB, { actorId: person.id, action: 'session.opened', at: now }),
    ...(before ? [revocation(c.env.DB, before)] : []),
  ])
  setSessionCookie(c, 'administrator', token)
  await rememberDevice(c, person.id)
  return c.json(view(person.username, claim.createdAt, now))
})

adminSessionRoutes.get(adminSessionApi.session.path, async (c) => {
  const { username, claim } = await c.var.session.administrator()
  return c.json(view(username, claim.createdAt, c.var.now()))
})

adminSessionRoutes.post(adminSessionApi.logout.path, async (c) => {
  const claim = await claimOf(c.env.SESSIONS, 'administrator', ownCookie(c, SESSION_COOKIE.administrator), c.var.now())
  if (claim) {
    await c.env.DB.batch([
      revocation(c.env.DB, claim),
      // A cookie that was closed before closes nothing, whoever holds it.
      recordedIfChanged(c.env.DB, { actorId: claim.userId, action: 'session.closed', at: c.var.now() }),
    ])
    await c.env.SESSIONS.delete(claim.key).catch(() => undefined)
  }
  dropOwnCookie(c, SESSION_COOKIE.administrator)
  return c.body(null, 204)
})

const wrong = () => new Refused('bad_credentials', 'Invalid username or password')

function view(username: string, createdAt: Millis, now: Millis): AdminSession {
  const end = createdAt + SESSION_LIFE.administrator.absolute
  return { username, expiresAt: new Date(end).toISOString(), secondsLeft: Math.ceil((end - now) / SECOND) }
}
