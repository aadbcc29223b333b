import { Hono } from 'hono'
import { cachedPublicRead, sendCached } from '../cache/public-reads'
import { upcomingShowsQuery } from '../concerts/concerts'
import { siteApi } from '../contract/site'
import type { AppEnv } from '../http/app-env'
import { listFeedTracks, listReleases } from '../releases/releases'
import { readSite } from '../site/site'
import { embedAudioUrl } from './embed'
import { atomFeed, type Enclosure, podcastFeed } from './feeds'

export const feedsRoutes = new Hono<AppEnv>()

feedsRoutes.get(
  siteApi.feed.path,
  cachedPublicRead(async ({ db, origin, at }) => {
    const [site, releases, shows] = await Promise.all([readSite(db), listReleases(db, at), upcomingShowsQuery(db, at)])
    return xmlResponse(atomFeed(releases, shows, { site, origin, at }), 'application/atom+xml')
  }),
)

feedsRoutes.get(siteApi.podcast.path, (c) => {
  const files = c.env.FILES
  return sendCached(c, siteApi.podcast.path, async ({ db, origin, at }) => {
    const [site, tracks] = await Promise.all([readSite(db), listFeedTracks(db, at)])
    const enclosures = await Promise.all(
      tracks.map(async (item): Promise<Enclosure[]> => {
        const file = await files.head(item.track.audioKey ?? '')
        const url = embedAudioUrl(origin, item.track.id)
        const contentType = file?.httpMetadata?.contentType ?? 'audio/mpeg'
        return file ? [{ ...item, url, sizeBytes: file.size, contentType }] : []
      }),
    )
    return xmlResponse(podcastFeed(enclosures.flat(), { site, origin, at }), 'application/rss+xml')
  })
})

const xmlResponse = (body: string, contentType: string) => ({
  body,
  headers: { 'content-type': `${contentType}; charset=utf-8` },
  hasCounters: false,
})
