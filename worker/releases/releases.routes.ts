import { Hono } from 'hono'
import { cachedJson, cachedPublicRead, sendCached } from '../cache/public-reads'
import { type AnnouncedRelease, type Release, type ReleaseSummary, releasesApi } from '../contract/releases'
import type { AppEnv } from '../http/app-env'
import { getRelease, listAnnouncedReleases, listReleases } from './releases'

export const releasesRoutes = new Hono<AppEnv>()

releasesRoutes.get(
  releasesApi.list.path,
  cachedPublicRead(async ({ db, at }) => cachedJson((await listReleases(db, at)) satisfies ReleaseSummary[])),
)

releasesRoutes.get(
  releasesApi.announced.path,
  cachedPublicRead(async ({ db, at }) =>
    cachedJson((await listAnnouncedReleases(db, at)) satisfies AnnouncedRelease[]),
  ),
)

// The cache key has the slug in one spelling, because percent-encoding allows many.
releasesRoutes.get(releasesApi.bySlug.path, (c) => {
  const slug = c.req.param('slug')
  return sendCached(c, `/api/releases/${encodeURIComponent(slug)}`, async ({ db, at }) =>
    cachedJson((await getRelease(db, { slug, at })) satisfies Release, { hasCounters: true }),
  )
})
