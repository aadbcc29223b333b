import { Hono } from 'hono'
import { cachedJson, cachedPublicRead, conditionalGet } from '../cache/public-reads'
import { findCurrentRow, listChallengePaths } from '../challenge/challenge'
import { showPaths } from '../concerts/concerts'
import { type SiteConfig, siteApi } from '../contract/site'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { robots, sitemap, webManifest } from '../ssr/crawlers'
import { readSite, readSiteConfig } from './site'

export const siteRoutes = new Hono<AppEnv>()

siteRoutes.get(
  siteApi.config.path,
  cachedPublicRead(async ({ db, config }) => cachedJson((await readSiteConfig(db, config)) satisfies SiteConfig)),
)

siteRoutes.get(siteApi.sitemap.path, conditionalGet, async (c) => {
  const [{ updatedAt }, shows, challenge, finished] = await Promise.all([
    readSite(c.var.db),
    showPaths(c.var.db),
    findCurrentRow(c.env.DB, c.var.now()),
    listChallengePaths(c.env.DB, c.var.now()),
  ])
  const more = [...(challenge ? ['/challenge'] : []), ...finished, ...shows]
  return c.body(sitemap(siteOrigin(c), updatedAt, more), 200, {
    'content-type': 'application/xml; charset=utf-8',
  })
})

siteRoutes.get(siteApi.robots.path, conditionalGet, (c) => c.text(robots(siteOrigin(c))))

siteRoutes.get(siteApi.manifest.path, conditionalGet, async (c) =>
  c.body(JSON.stringify(webManifest(await readSite(c.var.db))), 200, { 'content-type': 'application/manifest+json' }),
)

siteRoutes.get(siteApi.health.path, async (c) => {
  const isHealthy = (check: Promise<unknown>) =>
    check.then(
      () => true,
      () => false,
    )
  const [d1, kv, r2] = await Promise.all([
    isHealthy(c.env.DB.prepare('SELECT 1').first()),
    isHealthy(c.env.SESSIONS.get('healthz')),
    isHealthy(c.env.FILES.head('healthz')),
  ])
  const ok = d1 && kv && r2
  return c.json({ ok, d1, kv, r2 }, ok ? 200 : 503)
})
