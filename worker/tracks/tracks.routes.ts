import { Hono } from 'hono'
import { type Liked, type Track, tracksApi } from '../contract/tracks'
import type { AppEnv } from '../http/app-env'
import { keptForVisitors, keptJson } from '../http/public-read'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { like, unlike } from './likes'
import { allTracks, countClick, trackIdOf, trendingTracks } from './tracks'

export const tracksRoutes = new Hono<AppEnv>()

tracksRoutes.get(
  tracksApi.all.path,
  keptForVisitors(async ({ db }) =>
    keptJson((await allTracks(db, { readerId: null })) satisfies Track[], { counts: true }),
  ),
  async (c) =>
    c.json((await allTracks(c.var.db, { readerId: (await c.var.session.reader())?.userId ?? null })) satisfies Track[]),
)

tracksRoutes.get(
  tracksApi.trending.path,
  keptForVisitors(async ({ db }) =>
    keptJson((await trendingTracks(db, { readerId: null })) satisfies Track[], { counts: true }),
  ),
  async (c) =>
    c.json(
      (await trendingTracks(c.var.db, { readerId: (await c.var.session.reader())?.userId ?? null })) satisfies Track[],
    ),
)

tracksRoutes.post(tracksApi.play.path, limited('LIMIT_WRITES'), body(tracksApi.play), async (c) => {
  const service = c.req.valid('json')?.service ?? 'unknown'
  await countClick(c.var.db, { id: trackIdOf(c.req.param('id')), service, at: c.var.now() })
  return c.body(null, 204)
})

tracksRoutes.post(tracksApi.like.path, limited('LIMIT_WRITES', 'person'), async (c) => {
  const act = { claim: await c.var.session.claimed(), trackId: trackIdOf(c.req.param('id')), at: c.var.now() }
  return c.json((await like(c.var.db, act)) satisfies Liked)
})

tracksRoutes.delete(tracksApi.unlike.path, limited('LIMIT_WRITES', 'person'), async (c) => {
  const act = { claim: await c.var.session.claimed(), trackId: trackIdOf(c.req.param('id')), at: c.var.now() }
  return c.json((await unlike(c.var.db, act)) satisfies Liked)
})
