import { type Context, Hono } from 'hono'
import { conditionalGet, sendCached } from '../cache/public-reads'
import { type Oembed, releasesApi } from '../contract/releases'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { getRelease, releaseNotFoundError } from '../releases/releases'
import { readSite } from '../site/site'
import { embedContent, embedPage } from './embed'
import { buildOembed, noMusicError, parseOembedQuery } from './oembed'

export const embedRoutes = new Hono<AppEnv>()

embedRoutes.get(releasesApi.embed.path, (c) => sendEmbed(c, c.req.param('slug')))
embedRoutes.get(releasesApi.embedTrack.path, (c) => sendEmbed(c, c.req.param('slug'), c.req.param('track')))

// The cache key has the slugs in one spelling, because percent-encoding allows many.
function sendEmbed(c: Context<AppEnv>, slug: string, track?: string): Promise<Response> {
  const path = track === undefined ? [slug] : [slug, track]
  const key = `/embed/${path.map(encodeURIComponent).join('/')}`
  return sendCached(c, key, async ({ db, config, origin, at }) => {
    const content = embedContent(await getRelease(db, { slug, at }), track)
    if (!content) throw releaseNotFoundError()
    const { body, policy } = await embedPage(content, origin, config.publicImagesOrigin)
    return {
      body,
      headers: { 'content-type': 'text/html; charset=UTF-8', 'content-security-policy': policy },
      hasCounters: false,
    }
  })
}

embedRoutes.get(releasesApi.oembed.path, conditionalGet, async (c) => {
  const origin = siteOrigin(c)
  const { slug, track, ...size } = parseOembedQuery(c.req.query(), origin)
  const [site, release] = await Promise.all([readSite(c.var.db), getRelease(c.var.db, { slug, at: c.var.now() })])
  const content = embedContent(release, track)
  if (!content) throw noMusicError()
  return c.json(buildOembed(content, { ...size, origin, site }) satisfies Oembed)
})
