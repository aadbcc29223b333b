import { Hono } from 'hono'
import { authApi } from '../contract/auth'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { Refused } from '../lib/refused'
import { endSessions } from './account'
import { dropOwnCookie, ownCookie, SESSION_COOKIE } from './cookies'
import { countNewcomer, scannedHere } from './door-pass'
import { enter, houseOf, identify } from './enter'
import { meOf, meOfCaller } from './people'
import { closeSession } from './sessions'
import { signUp } from './signup'

export const authRoutes = new Hono<AppEnv>()

authRoutes.get(authApi.status.path, async (c) => {
  const caller = await c.var.session.caller()
  // A cookie that no session answers to is of no more use.
  if (!caller && ownCookie(c, SESSION_COOKIE.supporter) !== undefined) dropOwnCookie(c, SESSION_COOKIE.supporter)
  return c.json(caller && meOfCaller(caller))
})

authRoutes.get(authApi.user.path, async (c) => c.json(meOfCaller(await c.var.session.supporter())))

authRoutes.post(authApi.signup.path, limited('LIMIT_AUTH', scannedHere), body(authApi.signup), async (c) => {
  const here = (await c.var.session.reader())?.userId ?? null
  const person = await signUp(houseOf(c), c.req.valid('json'), { here, now: c.var.now() })
  await Promise.all([countNewcomer(c), enter(c, person)]).catch((cause) => {
    // The account stands; a second try would be told that its own name is taken.
    throw new Refused('unavailable', 'Your account is made, but we could not log you in just now. Please log in.', {
      cause,
    })
  })
  return c.json(meOf(person), 201)
})

authRoutes.post(authApi.login.path, limited('LIMIT_AUTH'), body(authApi.login), async (c) => {
  const person = await identify(c, c.req.valid('json'))
  await enter(c, person)
  return c.json(meOf(person))
})

authRoutes.post(authApi.logout.path, async (c) => {
  const claim = await c.var.session.claim()
  if (claim) await closeSession(c.env.DB, c.env.SESSIONS, claim)
  dropOwnCookie(c, SESSION_COOKIE.supporter)
  return c.body(null, 204)
})

authRoutes.post(authApi.logoutEverywhere.path, async (c) => {
  await endSessions(c.env.DB, await c.var.session.supporter(), c.var.now())
  dropOwnCookie(c, SESSION_COOKIE.supporter)
  return c.body(null, 204)
})
