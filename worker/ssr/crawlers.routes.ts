import { Hono } from 'hono'
import { conditionalGet } from '../cache/public-reads'
import { findCurrentRow, listChallengePaths } from '../challenge/challenge'
import { listShowPaths } from '../concerts/concerts'
import { resizedImageUrl } from '../contract/images'
import { siteApi } from '../contract/site'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { listProductPaths } from '../products/products'
import { listMusicPaths } from '../releases/releases'
import { listLegalTextPaths, readSite } from '../site/site'
import { robotsTxt, securityTxt, sitemapXml, webManifest } from './crawlers'

export const crawlersRoutes = new Hono<AppEnv>()

crawlersRoutes.get(siteApi.sitemap.path, conditionalGet, async (c) => {
  const [shows, challenge, finished, music, products, legal] = await Promise.all([
    listShowPaths(c.var.db),
    findCurrentRow(c.var.db, c.var.now()),
    listChallengePaths(c.var.db, c.var.now()),
    listMusicPaths(c.var.db, c.var.now()),
    listProductPaths(c.var.db),
    listLegalTextPaths(c.var.db),
  ])
  const extraPaths = [...(challenge ? ['/challenge'] : []), ...finished, ...music, ...products, ...shows, ...legal]
  return c.body(sitemapXml(siteOrigin(c), extraPaths), 200, {
    'content-type': 'application/xml; charset=utf-8',
  })
})

crawlersRoutes.get(siteApi.robots.path, conditionalGet, (c) => c.text(robotsTxt(siteOrigin(c))))

crawlersRoutes.get(siteApi.securityTxt.path, conditionalGet, async (c) =>
  c.text(securityTxt(siteOrigin(c), await readSite(c.var.db), c.var.now())),
)

crawlersRoutes.get(siteApi.manifest.path, conditionalGet, async (c) =>
  c.body(JSON.stringify(webManifest(await readSite(c.var.db))), 200, { 'content-type': 'application/manifest+json' }),
)

// For clients that do not read the page's head: feed readers, bookmarks, older browsers.
for (const { path, width } of [
  { path: siteApi.favicon.path, width: 32 },
  { path: siteApi.touchIcon.path, width: 180 },
] as const)
  crawlersRoutes.get(path, async (c) => c.redirect(resizedImageUrl((await readSite(c.var.db)).iconUrl, width), 302))
