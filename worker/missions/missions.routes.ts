import { Hono } from 'hono'
import { cachedForVisitors, cachedJson } from '../cache/public-reads'
import { type Mission, type MissionAward, pointsApi } from '../contract/points'
import type { AppEnv } from '../http/app-env'
import { rateLimit } from '../http/rate-limit'
import { completeMission, listMissions } from './missions'

export const missionsRoutes = new Hono<AppEnv>()

missionsRoutes.get(
  pointsApi.missions.path,
  cachedForVisitors(async ({ db, at }) =>
    cachedJson((await listMissions(db, { session: null, at })) satisfies Mission[]),
  ),
  async (c) => {
    const list = await listMissions(c.var.db, { session: await c.var.session.payloadIfAvailable(), at: c.var.now() })
    return c.json(list satisfies Mission[])
  },
)

missionsRoutes.post(pointsApi.complete.path, rateLimit('LIMIT_WRITES', 'user'), async (c) => {
  const input = { session: await c.var.session.requirePayload(), id: c.req.param('id'), at: c.var.now() }
  return c.json((await completeMission(c.var.db, input)) satisfies MissionAward)
})
