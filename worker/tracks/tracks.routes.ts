import { Hono } from 'hono'
import { type Track, tracksApi } from '../contract/tracks'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { allTracks, countClick, trendingTracks, unknownTrack } from './tracks'

export const tracksRoutes = new Hono<AppEnv>()

tracksRoutes.get(tracksApi.all.path, async (c) =>
  c.json((await allTracks(c.var.db, { readerId: (await c.var.session.reader())?.userId ?? null })) satisfies Track[]),
)

tracksRoutes.get(tracksApi.trending.path, async (c) =>
  c.json(
    (await trendingTracks(c.var.db, { readerId: (await c.var.session.reader())?.userId ?? null })) satisfies Track[],
  ),
)

tracksRoutes.post(tracksApi.play.path, limited('LIMIT_WRITES'), body(tracksApi.play), async (c) => {
  const service = c.req.valid('json')?.service ?? 'unknown'
  await countClick(c.var.db, { id: trackId(c.req.param('id')), service, at: c.var.now() })
  return c.body(null, 204)
})

/**
 * The id in a track's path.
 * @throws Refused `not_found` for anything that no track can have as its id.
 */
export function trackId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw unknownTrack()
  return Number(text)
}
