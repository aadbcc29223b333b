import { html } from 'hono/html'
import { resizedImageUrl } from '../contract/images'
import type { Oembed } from '../contract/releases'
import { AppError } from '../lib/app-error'
import type { SiteRow } from '../site/site'
import type { EmbedContent } from './embed'

const PLAYER_WIDTH_PX = 480
const TRACK_PLAYER_HEIGHT_PX = 144
const RELEASE_PLAYER_HEIGHT_PX = 400
const THUMBNAIL_SIZE_PX = 320

type OembedQuery = {
  slug: string
  track: string | undefined
  startSeconds: string | undefined
  maxWidth: number
  maxHeight: number
}

/**
 * Parses an oEmbed 1.0 request for a release or track page, or its embed.
 * @throws AppError `bad_input`, `not_implemented` for XML, `not_found` for an address of another kind or site.
 */
export function parseOembedQuery(query: Record<string, string>, origin: string): OembedQuery {
  const { url, format = 'json', maxwidth, maxheight } = query
  if (url === undefined) throw new AppError('bad_input', 'The parameter url must be the address of a release or track.')
  if (format !== 'json') throw new AppError('not_implemented', 'Only format=json is supported.')
  const target = URL.canParse(url) ? new URL(url) : null
  const [, slug, track] = /^\/(?:music|embed)\/([\w-]+)(?:\/([\w-]+))?\/?$/.exec(target?.pathname ?? '') ?? []
  if (target?.origin !== origin || slug === undefined) throw noMusicError()
  const startSeconds = track && /^[1-9]\d{0,5}$/.exec(target.searchParams.get('t') ?? '')?.[0]
  return { slug, track, startSeconds, maxWidth: parseSize(maxwidth), maxHeight: parseSize(maxheight) }
}

export const noMusicError = () => new AppError('not_found', 'There is no music at that address.')

function parseSize(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new AppError('bad_input', 'maxwidth and maxheight must be whole numbers of pixels.')
  return Number(text)
}

type OembedOptions = Omit<OembedQuery, 'slug' | 'track'> & { origin: string; site: SiteRow }

/** A `rich` oEmbed 1.0 response. */
export function buildOembed(
  { title, artist, path, tracks, coverUrl }: EmbedContent,
  { startSeconds, maxWidth, maxHeight, origin, site }: OembedOptions,
): Oembed {
  const width = Math.min(PLAYER_WIDTH_PX, maxWidth)
  const height = Math.min(tracks.length > 1 ? RELEASE_PLAYER_HEIGHT_PX : TRACK_PLAYER_HEIGHT_PX, maxHeight)
  const src = origin + path.replace(/^\/music\//, '/embed/') + (startSeconds ? `?t=${startSeconds}` : '')
  // The size of another host's image is unknown, and oEmbed requires the thumbnail's size.
  const hasThumbnail = coverUrl.startsWith('/media/') && THUMBNAIL_SIZE_PX <= Math.min(maxWidth, maxHeight)
  return {
    type: 'rich',
    version: '1.0',
    title,
    author_name: artist,
    author_url: `${origin}/`,
    provider_name: site.name,
    provider_url: `${origin}/`,
    ...(hasThumbnail && {
      thumbnail_url: origin + resizedImageUrl(coverUrl, THUMBNAIL_SIZE_PX),
      thumbnail_width: THUMBNAIL_SIZE_PX,
      thumbnail_height: THUMBNAIL_SIZE_PX,
    }),
    html: String(
      html`<iframe src="${src}" width="${String(width)}" height="${String(height)}" title="${title} by ${artist}" loading="lazy" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" style="border:0"></iframe>`,
    ),
    width,
    height,
  }
}
