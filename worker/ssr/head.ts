import type { MusicGroup, WithContext } from 'schema-dts'
import { findChallengeRow, findCurrentRow } from '../challenge/challenge'
import { showQuery } from '../concerts/concerts'
import { musicEvent, showPageMeta, upcomingShowsQuery } from '../concerts/concerts.linked-data'
import { NOT_FOUND_TITLE } from '../contract/errors'
import { buildSrcSet, HERO_IMAGE, type ImageWidth, SHOW_IMAGE } from '../contract/images'
import { documentTitle, PAGE_TITLES, type Page } from '../contract/pages'
import { RELEASE_COVER_IMAGE, TRACK_COVER_IMAGE } from '../contract/releases'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { absoluteUrl } from '../lib/url'
import { featuredProductsQuery, productOffers } from '../products/products'
import { findReleaseTrack, getRelease } from '../releases/releases'
import { musicAlbum, musicRecording, releaseMeta, trackMeta } from '../releases/releases.linked-data'
import { readSite, requireSite, type Site, siteQuery } from '../site/site'
import { lastSegment, nullIfNotFound, PAGE_DEFINITIONS, pathSegment } from './pages'
import type { Head } from './shell'

type PageRequest = {
  /** Null for the 404 page. */
  page: Page | null
  /** With parameters filled in. */
  path: string
  origin: string
}

/** `exists` is false for the 404 page, and for shows and challenges that do not exist. */
type PageHead = Head & { exists: boolean }

/**
 * The head of a page, in one round trip to D1. The home page and the pages of shows carry linked data.
 * @throws AppError `unavailable` until the site is set up.
 */
export async function buildHead(db: Db, { at, ...request }: PageRequest & { at: Millis }): Promise<PageHead> {
  if (request.page === '/shows') return buildShowsHead(db, { ...request, at })
  if (request.page === '/shows/:id') return buildShowHead(db, request, at)
  if (request.page === '/challenge') return buildChallengeHead(db, request, findCurrentRow(db, at))
  if (request.page === '/challenge/:id')
    return buildChallengeHead(db, request, findChallengeRow(db, lastSegment(request.path)))
  if (request.page === '/music/:release' || request.page === '/music/:release/:track')
    return buildMusicHead(db, request, at)
  if (request.page !== '/') return commonHead(await readSite(db), request, [])
  const [rows, shows, featured] = await db.batch([siteQuery(db), upcomingShowsQuery(db, at), featuredProductsQuery(db)])
  const row = requireSite(rows)
  const { origin } = request
  const group = { id: `${origin}/#artist`, name: row.name }
  return commonHead(row, request, [
    musicGroup(row, group.id, origin),
    ...shows.map((show) => musicEvent(show, group, { origin, at })),
    ...productOffers(featured, row.name, origin),
  ])
}

async function buildShowsHead(db: Db, { at, ...request }: PageRequest & { at: Millis }): Promise<PageHead> {
  const [rows, shows] = await db.batch([siteQuery(db), upcomingShowsQuery(db, at)])
  const row = requireSite(rows)
  const { origin } = request
  const group = { id: `${origin}/#artist`, name: row.name }
  return commonHead(row, request, [
    musicGroup(row, group.id, origin),
    ...shows.map((show) => musicEvent(show, group, { origin, at })),
  ])
}

async function buildShowHead(db: Db, request: PageRequest, at: Millis): Promise<PageHead> {
  const [rows, [show]] = await db.batch([siteQuery(db), showQuery(db, lastSegment(request.path))])
  const row = requireSite(rows)
  if (!show) return commonHead(row, { ...request, page: null }, [])
  const event = musicEvent(show, { id: `${request.origin}/#artist`, name: row.name }, { ...request, at })
  const { title, description } = showPageMeta(show, row.name, at)
  return {
    ...commonHead(row, request, [event]),
    title: documentTitle(title, row),
    description,
    preload: [imagePreload(show.imageUrl, SHOW_IMAGE)],
  }
}

async function buildMusicHead(db: Db, request: PageRequest, at: Millis): Promise<PageHead> {
  const slug = pathSegment(request.path, 2)
  const trackSlug = request.page === '/music/:release/:track' ? pathSegment(request.path, 3) : null
  const [row, found] = await Promise.all([
    readSite(db),
    (trackSlug === null
      ? getRelease(db, { slug, at }).then((release) => ({ release, track: null }))
      : findReleaseTrack(db, { slug, trackSlug, at })
    ).catch(nullIfNotFound),
  ])
  if (!found) return commonHead(row, { ...request, page: null }, [])
  const { release, track } = found
  const { title, description, path } = track ? trackMeta(release, track) : releaseMeta(release, row.timeZone)
  const artist = { id: `${request.origin}/#artist`, name: row.name, timeZone: row.timeZone }
  const { coverUrl, coverAlt } = track ?? release
  return {
    ...commonHead(row, { ...request, path }, [
      track ? musicRecording(release, track, artist, request.origin) : musicAlbum(release, artist, request.origin),
    ]),
    title: documentTitle(title, row),
    description,
    imageUrl: absoluteUrl(coverUrl, request.origin),
    imageAlt: coverAlt,
    imageSize: null,
    openGraphType: track ? 'music.song' : 'music.album',
    preload: [imagePreload(coverUrl, track ? TRACK_COVER_IMAGE : RELEASE_COVER_IMAGE)],
  }
}

async function buildChallengeHead(
  db: Db,
  request: PageRequest,
  found: ReturnType<typeof findChallengeRow>,
): Promise<PageHead> {
  const [row, challenge] = await Promise.all([readSite(db), found])
  if (!challenge) return commonHead(row, { ...request, page: null }, [])
  return { ...commonHead(row, request, []), title: documentTitle(challenge.title, row) }
}

function commonHead(row: Site, { page, path, origin }: PageRequest, linkedData: readonly object[]): PageHead {
  const { description, indexed } = page ? PAGE_DEFINITIONS[page] : NOT_FOUND_HEAD
  return {
    exists: page !== null,
    title: documentTitle(page ? PAGE_TITLES[page] : NOT_FOUND_TITLE, row),
    description: description?.(row.name) ?? row.description,
    // Never repeat an unknown path: it can be `//elsewhere.example`.
    url: absoluteUrl(page ? path : '/', origin),
    siteName: row.name,
    imageUrl: absoluteUrl(row.shareImageUrl, origin),
    imageAlt: `${row.name}, ${row.tagline}`,
    imageSize: { width: 1200, height: 630 },
    openGraphType: 'website',
    icon: resizedImageUrl(row.iconUrl, 32),
    touchIcon: resizedImageUrl(row.iconUrl, 180),
    indexed,
    preload: page === '/' ? heroPreload(row) : [],
    linkedData,
  }
}

const NOT_FOUND_HEAD = {
  description: () => 'There is nothing at this address.',
  indexed: false,
}

function heroPreload({ heroUrl, heroPortraitUrl }: Site): Head['preload'] {
  const { portrait, landscape } = HERO_IMAGE
  return [
    { art: portrait, url: heroPortraitUrl },
    { art: landscape, url: heroUrl },
  ].map(({ art, url }) => ({
    url,
    srcSet: buildSrcSet(url, art.widths, art.width),
    sizes: art.sizes,
    media: art.media,
  }))
}

const imagePreload = (url: string, { widths, width, sizes }: typeof SHOW_IMAGE): Head['preload'][number] => ({
  url,
  srcSet: buildSrcSet(url, widths, width),
  sizes,
  media: null,
})

/** Our own images in a smaller width; other URLs unchanged. */
export function resizedImageUrl(url: string, width: ImageWidth): string {
  return url.startsWith('/media/') ? `${url}?w=${width}` : url
}

function musicGroup(row: Site, id: string, origin: string): WithContext<MusicGroup> {
  return {
    '@context': 'https://schema.org',
    '@type': 'MusicGroup',
    '@id': id,
    name: row.name,
    description: row.description,
    url: `${origin}/`,
    image: absoluteUrl(row.shareImageUrl, origin),
    foundingLocation: { '@type': 'City', name: row.city },
    sameAs: [...new Set(Object.values(row.links).filter((link) => /^https?:/.test(link)))],
  }
}
