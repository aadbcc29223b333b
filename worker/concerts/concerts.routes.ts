import { type Context, Hono } from 'hono'
import { cachedJson, cachedPublicRead, conditionalGet } from '../cache/public-reads'
import { type Concert, concertsApi } from '../contract/concerts'
import { mailingListsApi } from '../contract/newsletter'
import type { AppEnv } from '../http/app-env'
import { clientAddress64, clientNetwork48 } from '../http/client-address'
import { depsOf, siteOrigin } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { requireTurnstile } from '../http/turnstile'
import { validateBody } from '../http/validate'
import { DAY_MS, type Millis } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { readSite } from '../site/site'
import { toICalendar } from './calendar'
import { requestCity, requesterHash } from './city-requests'
import { listConcerts, listUpcomingConcerts, readShow, type ShowRow, showsSinceQuery } from './concerts'
import { addAlert, addEmailAlert, confirmAlert } from './show-alerts'

export const concertsRoutes = new Hono<AppEnv>()

concertsRoutes.get(
  concertsApi.list.path,
  cachedPublicRead(async ({ db }) => cachedJson((await listConcerts(db)) satisfies Concert[])),
)

concertsRoutes.get(
  concertsApi.upcoming.path,
  cachedPublicRead(async ({ db, at }) => cachedJson((await listUpcomingConcerts(db, at)) satisfies Concert[])),
)

/** How long past shows stay in a calendar subscription. */
const CALENDAR_PAST_MS: Millis = 30 * DAY_MS

concertsRoutes.get(concertsApi.feed.path, conditionalGet, async (c) =>
  calendarResponse(c, await showsSinceQuery(c.var.db, c.var.now() - CALENDAR_PAST_MS), 'inline; filename="shows.ics"'),
)

concertsRoutes.get(concertsApi.event.path, conditionalGet, async (c) => {
  const show = await readShow(c.var.db, c.req.param('id'))
  const name = show.id.replace(/[^\w-]/g, '') || 'show'
  return calendarResponse(c, [show], `attachment; filename="${name}.ics"`)
})

concertsRoutes.post(
  concertsApi.subscribeAlert.path,
  rateLimit('LIMIT_MAIL'),
  validateBody(concertsApi.subscribeAlert),
  requireTurnstile('show_alert'),
  async (c) => {
    await addAlert(depsOf(c), { entry: c.req.valid('json').entry, network: clientNetwork48(c), at: c.var.now() })
    return c.body(null, 202)
  },
)

concertsRoutes.post(
  mailingListsApi.confirmAlert.path,
  rateLimit('LIMIT_AUTH'),
  validateBody(mailingListsApi.confirmAlert),
  async (c) => {
    await confirmAlert(depsOf(c), c.req.valid('json').token, c.var.now())
    return c.json({ confirmed: true } as const)
  },
)

concertsRoutes.post(
  concertsApi.requestCity.path,
  rateLimit('LIMIT_MAIL'),
  validateBody(concertsApi.requestCity),
  async (c) => {
    const at = c.var.now()
    const caller = await c.var.session.user()
    const userId = caller?.userId ?? null
    const requester = await requesterHash(c.var.config.signingSecret, { userId, address: clientAddress64(c), at })
    const city = c.req.valid('json').entry
    await requestCity(c.var.db, { city, requester, isConfirmed: caller?.emailVerified ?? false, at })
    if (caller?.email)
      await addEmailAlert(depsOf(c), {
        userId: caller.userId,
        network: clientNetwork48(c),
        email: caller.email,
        city,
        at,
      })
    return c.body(null, 202)
  },
)

async function calendarResponse(c: Context<AppEnv>, shows: readonly ShowRow[], disposition: string) {
  const { name, currency } = await readSite(c.var.db)
  const text = toICalendar(shows, { artistName: name, currency, origin: siteOrigin(c), at: c.var.now() })
  // The ETag ignores DTSTAMP, which is the time of the response.
  c.header('etag', `W/"${(await sha256(text.replace(/^DTSTAMP:.*$/gm, ''))).slice(0, 27)}"`)
  return c.body(text, 200, { 'content-type': 'text/calendar; charset=utf-8', 'content-disposition': disposition })
}
