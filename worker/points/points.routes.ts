import { Hono } from 'hono'
import {
  type Completed,
  type Leaderboard,
  type Mission,
  type PointsEntry,
  pointsApi,
  type Referral,
} from '../contract/points'
import type { AppEnv } from '../http/app-env'
import { keptForVisitors, keptJson } from '../http/public-read'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { completeMission } from './complete'
import { history } from './history'
import { leaderboard } from './leaderboard'
import { missions } from './missions'
import { referrals } from './referrals'
import { unknownEntry, voidEntry } from './void'

export const pointsRoutes = new Hono<AppEnv>()

pointsRoutes.get(
  pointsApi.leaderboard.path,
  keptForVisitors(async ({ db }) => keptJson((await leaderboard(db, null)) satisfies Leaderboard, { counts: true })),
  async (c) => c.json((await leaderboard(c.var.db, await c.var.session.reader())) satisfies Leaderboard),
)

pointsRoutes.get(
  pointsApi.missions.path,
  keptForVisitors(async ({ db, at }) => keptJson((await missions(db, { claim: null, at })) satisfies Mission[])),
  async (c) => {
    const list = await missions(c.var.db, { claim: await c.var.session.reader(), at: c.var.now() })
    return c.json(list satisfies Mission[])
  },
)

pointsRoutes.get(pointsApi.history.path, async (c) => {
  const asked = { claim: await c.var.session.claimed(), cursor: c.req.query('cursor') ?? null }
  const { entries, next } = await history(c.var.db, asked)
  if (next !== null) c.header('link', `<${pointsApi.history.path}?cursor=${next}>; rel="next"`)
  return c.json(entries satisfies PointsEntry[])
})

pointsRoutes.get(pointsApi.referrals.path, async (c) => {
  const list = await referrals(c.var.db, await c.var.session.claimed())
  return c.json(list satisfies Referral[])
})

pointsRoutes.post(pointsApi.complete.path, limited('LIMIT_WRITES', 'person'), async (c) => {
  const asked = { claim: await c.var.session.claimed(), id: c.req.param('id'), at: c.var.now() }
  return c.json((await completeMission(c.var.db, asked)) satisfies Completed)
})

pointsRoutes.post(pointsApi.void.path, body(pointsApi.void), async (c) => {
  const { userId } = await c.var.session.administrator()
  const id = c.req.param('id')
  if (!/^[1-9]\d{0,14}$/.test(id)) throw unknownEntry()
  const act = { id: Number(id), actorId: userId, at: c.var.now(), ...c.req.valid('json') }
  return c.json(await voidEntry(c.var.db, act))
})
