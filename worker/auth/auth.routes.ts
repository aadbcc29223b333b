import { type Context, Hono } from 'hono'
import { authApi } from '../contract/auth'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { siteOrigin } from '../http/site-origin'
import { body } from '../http/validate'
import { visitorAddress } from '../http/visitor-address'
import { dropOwnCookie, ownCookie, SESSION_COOKIE, setSessionCookie } from './cookies'
import { knownDevice, rememberDevice } from './device'
import { whoGives } from './login'
import { meOf, meOfCaller, type PersonRow } from './people'
import { closeSession, openSession } from './sessions'
import { signUp } from './signup'

export const authRoutes = new Hono<AppEnv>()

authRoutes.get(authApi.status.path, async (c) => {
  const caller = await c.var.session.caller()
  // A cookie that no session answers to is of no more use.
  if (!caller && ownCookie(c, SESSION_COOKIE.supporter) !== undefined) dropOwnCookie(c, SESSION_COOKIE.supporter)
  return c.json(caller && meOfCaller(caller))
})

authRoutes.get(authApi.user.path, async (c) => c.json(meOfCaller(await c.var.session.supporter())))

authRoutes.post(authApi.signup.path, limited('LIMIT_AUTH'), body(authApi.signup), async (c) => {
  const house = { db: c.env.DB, secret: c.var.config.signingSecret, origin: siteOrigin(c) }
  const person = await signUp(house, c.req.valid('json'), c.var.now())
  await enter(c, person)
  return c.json(meOf(person), 201)
})

authRoutes.post(authApi.login.path, limited('LIMIT_AUTH'), body(authApi.login), async (c) => {
  const { username, password } = c.req.valid('json')
  const person = await whoGives(
    { db: c.env.DB, secret: c.var.config.signingSecret },
    { name: username, password, network: visitorAddress(c), knownDevice: (userId) => knownDevice(c, userId) },
    c.var.now(),
  )
  await enter(c, person)
  return c.json(meOf(person))
})

authRoutes.post(authApi.logout.path, async (c) => {
  const claim = await c.var.session.claim()
  if (claim) await closeSession(c.env.DB, c.env.SESSIONS, claim)
  dropOwnCookie(c, SESSION_COOKIE.supporter)
  return c.body(null, 204)
})

/** Begins a supporter's session on this answer: a new token always, and the one that the browser had is dead. */
export async function enter(c: Context<AppEnv>, person: Pick<PersonRow, 'id' | 'epoch'>): Promise<void> {
  const before = await c.var.session.claim()
  const { token } = await openSession(
    c.env.SESSIONS,
    'supporter',
    { userId: person.id, epoch: person.epoch },
    c.var.now(),
  )
  if (before) await closeSession(c.env.DB, c.env.SESSIONS, before)
  setSessionCookie(c, 'supporter', token)
  await rememberDevice(c, person.id)
}
