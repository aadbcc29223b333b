import { Hono } from 'hono'
import { givePass, heldPass, newPass, passOf } from '../auth/door-pass'
import { type Arrival, type Arrivals, checkInApi, type DoorCode, type Going, type ShowPage } from '../contract/check-in'
import type { Earned } from '../contract/points'
import type { AppEnv } from '../http/app-env'
import { keptByIdForVisitors, keptJson } from '../http/public-read'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { visitorAddress } from '../http/visitor-address'
import { arrive } from './arrivals'
import { checkIn } from './check-in'
import { arrivals, doorCode, renewDoor } from './door'
import { sayGoing, showPage } from './going'

export const checkInRoutes = new Hono<AppEnv>()

checkInRoutes.get(
  checkInApi.show.path,
  keptByIdForVisitors(checkInApi.show.path, (id) => async ({ db, at }) => {
    // Who goes is counted, and moves no data version.
    return keptJson((await showPage(db, { claim: null, id, at })) satisfies ShowPage, { counts: true })
  }),
  async (c) => {
    const asked = { claim: await c.var.session.reader(), id: c.req.param('id'), at: c.var.now() }
    return c.json((await showPage(c.var.db, asked)) satisfies ShowPage)
  },
)

checkInRoutes.post(checkInApi.going.path, limited('LIMIT_WRITES', 'person'), body(checkInApi.going), async (c) => {
  const word = { going: true, named: c.req.valid('json').named, id: c.req.param('id'), at: c.var.now() }
  return c.json((await sayGoing(c.var.db, { claim: await c.var.session.claimed(), ...word })) satisfies Going)
})

checkInRoutes.delete(checkInApi.notGoing.path, limited('LIMIT_WRITES', 'person'), async (c) => {
  const word = { going: false, named: false, id: c.req.param('id'), at: c.var.now() }
  return c.json((await sayGoing(c.var.db, { claim: await c.var.session.claimed(), ...word })) satisfies Going)
})

checkInRoutes.post(checkInApi.checkIn.path, limited('LIMIT_WRITES', 'person'), body(checkInApi.checkIn), async (c) => {
  const earned = await checkIn(
    { db: c.var.db, secret: c.var.config.signingSecret },
    {
      claim: await c.var.session.claimed(),
      id: c.req.param('id'),
      proof: c.req.valid('json'),
      browser: heldPass(c),
      at: c.var.now(),
    },
  )
  return c.json(earned satisfies Earned)
})

// Not limited by address: a whole hall may scan from behind one. Wrong codes are counted where the code is looked at.
checkInRoutes.post(checkInApi.arrive.path, body(checkInApi.arrive), async (c) => {
  const scan = { id: c.req.param('id'), code: c.req.valid('json').code }
  // A second scan in the same browser leaves the first one as it was.
  const browser = (await passOf(c))?.cookie ?? (await newPass(c, scan))
  const arrival = await arrive(
    { db: c.var.db, secret: c.var.config.signingSecret },
    { ...scan, address: visitorAddress(c), browser, at: c.var.now() },
  )
  givePass(c, browser)
  return c.json(arrival satisfies Arrival)
})

checkInRoutes.get(checkInApi.code.path, async (c) => {
  const house = { db: c.var.db, secret: c.var.config.signingSecret }
  return c.json((await doorCode(house, c.req.param('id'), c.var.now())) satisfies DoorCode)
})

checkInRoutes.post(checkInApi.renew.path, async (c) => {
  const { userId } = await c.var.session.administrator()
  const house = { db: c.var.db, secret: c.var.config.signingSecret }
  const act = { id: c.req.param('id'), actorId: userId, at: c.var.now() }
  return c.json((await renewDoor(house, act)) satisfies DoorCode)
})

checkInRoutes.get(checkInApi.arrivals.path, async (c) =>
  c.json((await arrivals(c.var.db, c.req.param('id'))) satisfies Arrivals),
)
