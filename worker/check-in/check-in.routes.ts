import { Hono } from 'hono'
import { createCheckInCookie, readCheckInCookie, readRawCheckInCookie, setCheckInCookie } from '../auth/check-in-cookie'
import { cachedByIdForVisitors, cachedJson } from '../cache/public-reads'
import {
  type Attendance,
  type CheckInCode,
  type CheckInCounts,
  type CheckInToken,
  checkInApi,
  type ShowPage,
} from '../contract/check-in'
import type { PointsAward } from '../contract/points'
import type { AppEnv } from '../http/app-env'
import { clientNetwork48 } from '../http/client-address'
import { actorOf, depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { readShowPage, setAttendance } from './attendance'
import { checkIn } from './check-in'
import { readCheckInCode, readCheckInCounts, rotateCheckInSecret } from './check-in-code'
import { issueCheckInToken } from './check-in-tokens'

export const checkInRoutes = new Hono<AppEnv>()

checkInRoutes.get(
  checkInApi.show.path,
  cachedByIdForVisitors(checkInApi.show.path, (idOrSlug) => async ({ db, at }) => {
    // The number of attendees does not change the data version.
    return cachedJson((await readShowPage(db, { session: null, idOrSlug, at })) satisfies ShowPage, {
      hasCounters: true,
    })
  }),
  async (c) => {
    const session = await c.var.session.payloadIfAvailable()
    const query = { session, idOrSlug: c.req.param('id'), at: c.var.now() }
    return c.json((await readShowPage(c.var.db, query)) satisfies ShowPage)
  },
)

checkInRoutes.post(
  checkInApi.going.path,
  rateLimit('LIMIT_WRITES', 'user'),
  validateBody(checkInApi.going),
  async (c) => {
    const input = { going: true, named: c.req.valid('json').named, id: c.req.param('id'), at: c.var.now() }
    return c.json(
      (await setAttendance(c.var.db, { session: await c.var.session.requirePayload(), ...input })) satisfies Attendance,
    )
  },
)

checkInRoutes.delete(checkInApi.notGoing.path, rateLimit('LIMIT_WRITES', 'user'), async (c) => {
  const input = { going: false, named: false, id: c.req.param('id'), at: c.var.now() }
  return c.json(
    (await setAttendance(c.var.db, { session: await c.var.session.requirePayload(), ...input })) satisfies Attendance,
  )
})

checkInRoutes.post(
  checkInApi.checkIn.path,
  rateLimit('LIMIT_WRITES', 'user'),
  validateBody(checkInApi.checkIn),
  async (c) => {
    const award = await checkIn(depsOf(c), {
      session: await c.var.session.requirePayload(),
      id: c.req.param('id'),
      credential: c.req.valid('json'),
      cookie: readRawCheckInCookie(c),
      network: clientNetwork48(c),
      at: c.var.now(),
    })
    return c.json(award satisfies PointsAward)
  },
)

// No rate limit: a venue's visitors share one IP address. Wrong codes are counted instead.
checkInRoutes.post(checkInApi.createToken.path, validateBody(checkInApi.createToken), async (c) => {
  const scan = { id: c.req.param('id'), code: c.req.valid('json').code }
  // A second scan reuses the browser's cookie.
  const cookie = (await readCheckInCookie(c))?.value ?? (await createCheckInCookie(c, scan))
  const token = await issueCheckInToken(depsOf(c), { ...scan, network: clientNetwork48(c), cookie, at: c.var.now() })
  setCheckInCookie(c, cookie)
  return c.json(token satisfies CheckInToken)
})

checkInRoutes.get(checkInApi.code.path, async (c) => {
  return c.json((await readCheckInCode(depsOf(c), c.req.param('id'), c.var.now())) satisfies CheckInCode)
})

checkInRoutes.post(checkInApi.renewSecret.path, async (c) => {
  const action = { id: c.req.param('id'), ...(await actorOf(c)) }
  return c.json((await rotateCheckInSecret(depsOf(c), action)) satisfies CheckInCode)
})

checkInRoutes.get(checkInApi.counts.path, async (c) =>
  c.json((await readCheckInCounts(c.var.db, c.req.param('id'))) satisfies CheckInCounts),
)
