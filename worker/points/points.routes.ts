import { Hono } from 'hono'
import { type Leaderboard, type Mission, type PointsEntry, pointsApi } from '../contract/points'
import type { AppEnv } from '../http/app-env'
import { history } from './history'
import { leaderboard } from './leaderboard'
import { missions } from './missions'

export const pointsRoutes = new Hono<AppEnv>()

pointsRoutes.get(pointsApi.leaderboard.path, async (c) =>
  c.json((await leaderboard(c.var.db, await c.var.session.reader())) satisfies Leaderboard),
)

pointsRoutes.get(pointsApi.missions.path, async (c) => {
  const list = await missions(c.var.db, { claim: await c.var.session.reader(), at: c.var.now() })
  return c.json(list satisfies Mission[])
})

pointsRoutes.get(pointsApi.history.path, async (c) => {
  const asked = { claim: await c.var.session.claimed(), cursor: c.req.query('cursor') ?? null }
  const { entries, next } = await history(c.var.db, asked)
  if (next !== null) c.header('link', `<${pointsApi.history.path}?cursor=${next}>; rel="next"`)
  return c.json(entries satisfies PointsEntry[])
})
