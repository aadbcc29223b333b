import { type Context, Hono } from 'hono'
import { addAlert, addCityAlert, confirmAlert } from '../alerts/alerts'
import { type Concert, concertsApi } from '../contract/concerts'
import { listsApi } from '../contract/lists'
import type { AppEnv } from '../http/app-env'
import { listHouse } from '../http/house'
import { keptForAll, keptJson } from '../http/public-read'
import { limited } from '../http/rate-limit'
import { publicRevalidated } from '../http/unchanged'
import { body } from '../http/validate'
import { visitorAddress } from '../http/visitor-address'
import { DAY } from '../lib/clock'
import { artist } from '../site/site'
import { calendarOf } from './calendar'
import { allConcerts, type Show, show, showsSince, upcomingConcerts } from './concerts'
import { requestCity, requesterKey } from './wishes'

export const concertsRoutes = new Hono<AppEnv>()

concertsRoutes.get(
  concertsApi.all.path,
  keptForAll(async ({ db }) => keptJson((await allConcerts(db)) satisfies Concert[])),
)

concertsRoutes.get(
  concertsApi.upcoming.path,
  keptForAll(async ({ db, at }) => keptJson((await upcomingConcerts(db, at)) satisfies Concert[])),
)

/** For subscribing: a month of the past stays, so that what a fan went to does not vanish from the calendar at once. */
concertsRoutes.get(concertsApi.feed.path, publicRevalidated, async (c) =>
  calendar(c, await showsSince(c.var.db, c.var.now() - 30 * DAY), 'inline; filename="shows.ics"'),
)

concertsRoutes.get(concertsApi.event.path, publicRevalidated, async (c) => {
  const one = await show(c.var.db, c.req.param('id'))
  const name = one.id.replace(/[^\w-]/g, '') || 'show'
  return calendar(c, [one], `attachment; filename="${name}.ics"`)
})

concertsRoutes.post(concertsApi.alert.path, limited('LIMIT_MAIL'), body(concertsApi.alert), async (c) => {
  await addAlert(listHouse(c), { entry: c.req.valid('json').entry, at: c.var.now() })
  return c.body(null, 202)
})

concertsRoutes.post(listsApi.confirmAlert.path, limited('LIMIT_AUTH'), body(listsApi.confirmAlert), async (c) => {
  await confirmAlert(listHouse(c), c.req.valid('json').token, c.var.now())
  return c.json({ confirmed: true } as const)
})

concertsRoutes.post(concertsApi.requestCity.path, limited('LIMIT_MAIL'), body(concertsApi.requestCity), async (c) => {
  const at = c.var.now()
  const caller = await c.var.session.caller()
  const userId = caller?.userId ?? null
  const requester = await requesterKey(c.var.config.signingSecret, { userId, address: visitorAddress(c), at })
  const city = c.req.valid('json').entry
  await requestCity(c.var.db, { city, requester, at })
  if (caller?.email) await addCityAlert(listHouse(c), { userId: caller.userId, email: caller.email, city, at })
  return c.body(null, 202)
})

async function calendar(c: Context<AppEnv>, shows: readonly Show[], disposition: string) {
  const { name } = await artist(c.var.db)
  const text = calendarOf(shows, { artistName: name, origin: new URL(c.req.url).origin, at: c.var.now() })
  return c.body(text, 200, { 'content-type': 'text/calendar; charset=utf-8', 'content-disposition': disposition })
}
