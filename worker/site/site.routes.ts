import { Hono } from 'hono'
import { challengePaths, currentRow } from '../challenge/current'
import { showPaths } from '../concerts/concerts'
import { type SiteConfig, siteApi } from '../contract/site'
import type { AppEnv } from '../http/app-env'
import { keptForAll, keptJson } from '../http/public-read'
import { siteOrigin } from '../http/site-origin'
import { publicRevalidated } from '../http/unchanged'
import { robots, sitemap, webManifest } from './crawlers'
import { artist, siteConfig } from './site'

export const siteRoutes = new Hono<AppEnv>()

siteRoutes.get(
  siteApi.config.path,
  keptForAll(async ({ db, config }) => keptJson((await siteConfig(db, config)) satisfies SiteConfig)),
)

siteRoutes.get(siteApi.sitemap.path, publicRevalidated, async (c) => {
  const [{ updatedAt }, shows, challenge, finished] = await Promise.all([
    artist(c.var.db),
    showPaths(c.var.db),
    currentRow(c.env.DB, c.var.now()),
    challengePaths(c.env.DB, c.var.now()),
  ])
  const more = [...(challenge ? ['/challenge'] : []), ...finished, ...shows]
  return c.body(sitemap(siteOrigin(c), updatedAt, more), 200, {
    'content-type': 'application/xml; charset=utf-8',
  })
})

siteRoutes.get(siteApi.robots.path, publicRevalidated, (c) => c.text(robots(siteOrigin(c))))

siteRoutes.get(siteApi.manifest.path, publicRevalidated, async (c) =>
  c.body(JSON.stringify(webManifest(await artist(c.var.db))), 200, { 'content-type': 'application/manifest+json' }),
)

siteRoutes.get(siteApi.health.path, async (c) => {
  const well = (check: Promise<unknown>) =>
    check.then(
      () => true,
      () => false,
    )
  const [d1, kv, r2] = await Promise.all([
    well(c.env.DB.prepare('SELECT 1').first()),
    well(c.env.SESSIONS.get('healthz')),
    well(c.env.FILES.head('healthz')),
  ])
  const ok = d1 && kv && r2
  return c.json({ ok, d1, kv, r2 }, ok ? 200 : 503)
})
