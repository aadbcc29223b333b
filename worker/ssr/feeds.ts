import { html } from 'hono/html'
import { showPageMeta, type upcomingShowsQuery } from '../concerts/concerts'
import { showPath } from '../contract/concerts'
import { RELEASE_KIND_LABEL, type ReleaseSummary, releasePath, trackPath } from '../contract/releases'
import { siteApi } from '../contract/site'
import { type Millis, toIso } from '../lib/clock'
import { absoluteUrl } from '../lib/url'
import type { FeedTrack } from '../releases/releases'
import { releaseLength } from '../releases/releases.linked-data'
import type { SiteRow } from '../site/site'

type Show = Awaited<ReturnType<typeof upcomingShowsQuery>>[number]
type FeedContext = { site: SiteRow; origin: string; at: Millis }

/** Atom 1.0 (RFC 4287). Entries have tag URIs (RFC 4151), so they stay the same when a page's address changes. */
export function atomFeed(
  releases: readonly ReleaseSummary[],
  shows: readonly Show[],
  { site, origin, at }: FeedContext,
): string {
  const entries = [
    ...releases.map(({ slug, title, artist, kind, releasedAt, ...length }) => ({
      id: tagUri(origin, `releases/${slug}`),
      title: `${title} (${RELEASE_KIND_LABEL[kind]})`,
      path: releasePath(slug),
      updatedAt: Date.parse(releasedAt),
      summary: `${artist}: ${releaseLength(length)}.`,
    })),
    ...shows.map((show) => {
      const { title, description } = showPageMeta(show, site, at)
      return {
        id: tagUri(origin, `shows/${show.id}`),
        title: `${site.name} at ${title}`,
        path: showPath(show.slug),
        // The time of a show's last change is not stored; that of the site's settings stands in for it.
        updatedAt: Math.min(site.updatedAt, at),
        summary: description,
      }
    }),
  ].sort((a, b) => b.updatedAt - a.updatedAt)
  return xmlDocument(html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US">
<id>${tagUri(origin, 'feed')}</id>
<title>${site.name}</title>
<subtitle>${site.description}</subtitle>
<link rel="self" type="application/atom+xml" href="${origin + siteApi.feed.path}"/>
<link rel="alternate" type="text/html" href="${origin}/"/>
<updated>${toIso(entries[0]?.updatedAt ?? Math.min(site.updatedAt, at))}</updated>
<author><name>${site.name}</name><uri>${origin}/</uri></author>
<logo>${absoluteUrl(site.shareImageUrl, origin)}</logo>
${entries.map(
  ({ id, title, path, updatedAt, summary }) => html`<entry>
<id>${id}</id>
<title>${title}</title>
<link rel="alternate" type="text/html" href="${origin + path}"/>
<published>${toIso(updatedAt)}</published>
<updated>${toIso(updatedAt)}</updated>
<summary>${summary}</summary>
</entry>
`,
)}</feed>`)
}

/** An audio file of the feed; RSS requires its size. */
export type Enclosure = FeedTrack & { url: string; sizeBytes: number; contentType: string }

/** RSS 2.0 with the iTunes and Podcasting 2.0 namespaces, one item per track. */
export function podcastFeed(items: readonly Enclosure[], { site, origin, at }: FeedContext): string {
  const builtAt = Math.max(...items.map(({ release }) => release.releasedAt), Math.min(site.updatedAt, at))
  return xmlDocument(html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel>
<title>${site.name}</title>
<link>${origin}/</link>
<description>${site.description}</description>
<language>en-us</language>
<lastBuildDate>${rfc822(builtAt)}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${origin + siteApi.podcast.path}"/>
<itunes:author>${site.name}</itunes:author>
<itunes:image href="${absoluteUrl(site.iconUrl, origin)}"/>
<itunes:category text="Music"/>
<itunes:explicit>${String(items.some(({ release }) => release.isExplicit))}</itunes:explicit>
<podcast:medium>music</podcast:medium>
${items.map(
  ({ track, release, url, sizeBytes, contentType }) => html`<item>
<title>${track.title}</title>
<link>${origin + trackPath(release.slug, track.slug)}</link>
<guid isPermaLink="false">${tagUri(origin, `tracks/${track.id}`)}</guid>
<pubDate>${rfc822(release.releasedAt)}</pubDate>
<description>${`${track.artist}: ${track.title}, from ${release.title}.`}</description>
<enclosure url="${url}" length="${String(sizeBytes)}" type="${contentType}"/>
<itunes:author>${track.artist}</itunes:author>
<itunes:duration>${String(track.durationSeconds)}</itunes:duration>
<itunes:explicit>${String(release.isExplicit)}</itunes:explicit>
<itunes:image href="${absoluteUrl(track.coverUrl, origin)}"/>
</item>
`,
)}</channel>
</rss>`)
}

// RFC 4151 requires a date on which the site had its host name; the date never changes.
const tagUri = (origin: string, name: string) => `tag:${new URL(origin).hostname},2026:${encodeURI(name)}`
const rfc822 = (at: Millis) => new Date(at).toUTCString()

/** Characters that XML 1.0 does not allow, even escaped. */
const INVALID_XML_CHARACTERS = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** hono's `html` escapes inserted text with entities that are also valid in XML. */
const xmlDocument = (root: ReturnType<typeof html>) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${String(root)}\n`.replace(INVALID_XML_CHARACTERS, '')
