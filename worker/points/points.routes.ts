import { Hono } from 'hono'
import { cachedForVisitors, cachedJson } from '../cache/public-reads'
import { type Leaderboard, type PointsEntry, pointsApi, type Referral } from '../contract/points'
import type { AppEnv } from '../http/app-env'
import { actorOf } from '../http/deps'
import { setNextLink } from '../http/pagination'
import { validateBody } from '../http/validate'
import { readLeaderboard } from './leaderboard'
import { listReferrals } from './list-referrals'
import { entryNotFoundError, listHistory, reverseEntry } from './points'

export const pointsRoutes = new Hono<AppEnv>()

pointsRoutes.get(
  pointsApi.leaderboard.path,
  cachedForVisitors(async ({ db }) =>
    cachedJson((await readLeaderboard(db, null)) satisfies Leaderboard, { hasCounters: true }),
  ),
  async (c) =>
    c.json((await readLeaderboard(c.var.db, await c.var.session.payloadIfAvailable())) satisfies Leaderboard),
)

pointsRoutes.get(pointsApi.history.path, async (c) => {
  const session = await c.var.session.requirePayload()
  const input = { session, cursor: c.req.query('cursor') ?? null, at: c.var.now() }
  const { entries, next } = await listHistory(c.var.db, input)
  setNextLink(c, next)
  return c.json(entries satisfies PointsEntry[])
})

pointsRoutes.get(pointsApi.referrals.path, async (c) => {
  const list = await listReferrals(c.var.db, await c.var.session.requirePayload())
  return c.json(list satisfies Referral[])
})

pointsRoutes.post(pointsApi.reverse.path, validateBody(pointsApi.reverse), async (c) => {
  const id = c.req.param('id')
  if (!/^[1-9]\d{0,14}$/.test(id)) throw entryNotFoundError()
  const reversal = { id: Number(id), ...(await actorOf(c)), ...c.req.valid('json') }
  return c.json(await reverseEntry(c.var.db, reversal))
})
