import { Hono } from 'hono'
import { cachedForVisitors, cachedJson } from '../cache/public-reads'
import { type Track, type TrackLikeResult, tracksApi } from '../contract/tracks'
import type { AppEnv } from '../http/app-env'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { likeTrack, unlikeTrack } from './likes'
import { allTracks, countClick, parseTrackId, trendingTracks } from './tracks'

export const tracksRoutes = new Hono<AppEnv>()

tracksRoutes.get(
  tracksApi.list.path,
  cachedForVisitors(async ({ db }) =>
    cachedJson((await allTracks(db, { readerId: null })) satisfies Track[], { counts: true }),
  ),
  async (c) =>
    c.json(
      (await allTracks(c.var.db, {
        readerId: (await c.var.session.optionalPayload())?.userId ?? null,
      })) satisfies Track[],
    ),
)

tracksRoutes.get(
  tracksApi.trending.path,
  cachedForVisitors(async ({ db }) =>
    cachedJson((await trendingTracks(db, { readerId: null })) satisfies Track[], { counts: true }),
  ),
  async (c) =>
    c.json(
      (await trendingTracks(c.var.db, {
        readerId: (await c.var.session.optionalPayload())?.userId ?? null,
      })) satisfies Track[],
    ),
)

tracksRoutes.post(tracksApi.play.path, rateLimit('LIMIT_WRITES'), validateBody(tracksApi.play), async (c) => {
  const service = c.req.valid('json')?.service ?? 'unknown'
  await countClick(c.var.db, { id: parseTrackId(c.req.param('id')), service, at: c.var.now() })
  return c.body(null, 204)
})

tracksRoutes.post(tracksApi.like.path, rateLimit('LIMIT_WRITES', 'person'), async (c) => {
  const act = {
    session: await c.var.session.requirePayload(),
    trackId: parseTrackId(c.req.param('id')),
    at: c.var.now(),
  }
  return c.json((await likeTrack(c.var.db, act)) satisfies TrackLikeResult)
})

tracksRoutes.delete(tracksApi.unlike.path, rateLimit('LIMIT_WRITES', 'person'), async (c) => {
  const act = {
    session: await c.var.session.requirePayload(),
    trackId: parseTrackId(c.req.param('id')),
    at: c.var.now(),
  }
  return c.json((await unlikeTrack(c.var.db, act)) satisfies TrackLikeResult)
})
