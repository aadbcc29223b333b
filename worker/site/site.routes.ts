import { Hono } from 'hono'
import { cachedJson, cachedPublicRead, conditionalGet } from '../cache/public-reads'
import { type LegalText, legalTextsApi } from '../contract/legal-texts'
import { type SiteConfig, siteApi } from '../contract/site'
import type { AppEnv } from '../http/app-env'
import { readLegalText, readSiteConfig } from './site'

export const siteRoutes = new Hono<AppEnv>()

siteRoutes.get(
  siteApi.config.path,
  cachedPublicRead(async ({ db, config }) => cachedJson((await readSiteConfig(db, config)) satisfies SiteConfig)),
)

siteRoutes.get(legalTextsApi.legalText.path, conditionalGet, async (c) =>
  c.json((await readLegalText(c.var.db, c.req.param('id'))) satisfies LegalText),
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
