import type { MusicGroup, WebPage, WithContext } from 'schema-dts'
import { findChallengeRow, findCurrentRow } from '../challenge/challenge'
import { showBySlugQuery, showPageMeta, upcomingShowsQuery } from '../concerts/concerts'
import { musicEvent } from '../concerts/concerts.linked-data'
import { LEGAL_TEXTS } from '../contract/appearance-rules'
import { NOT_FOUND_TITLE } from '../contract/errors'
import { HOME_SECTIONS } from '../contract/home-sections'
import { avifUrl, buildSrcSet, HERO_IMAGE, type ResponsiveImage, resizedImageUrl, SHOW_IMAGE } from '../contract/images'
import { documentTitle, PAGE_TITLES, type Page } from '../contract/pages'
import { PRODUCT_IMAGE } from '../contract/products'
import { isReleased, RELEASE_COVER_IMAGE, TRACK_COVER_IMAGE } from '../contract/releases'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { absoluteUrl } from '../lib/url'
import { productQueries, toProducts } from '../products/products'
import { productDescription, productItemList, productWithOffer } from '../products/products.linked-data'
import { findReleaseTrack, getReleasePage } from '../releases/releases'
import {
  announcedAlbum,
  announcedMeta,
  musicAlbum,
  musicRecording,
  releaseMeta,
  trackMeta,
} from '../releases/releases.linked-data'
import { readLegalText, readSite, requireSite, type SiteRow, siteQuery } from '../site/site'
import { lastSegment, nullIfNotFound, PAGE_DEFINITIONS, pathSegment } from './pages'
import type { DocumentHead } from './shell'

type PageRequest = {
  /** Null for the 404 page. */
  page: Page | null
  /** The path with its parameters. */
  path: string
  origin: string
}

/** `exists` is false for the 404 page and for records that do not exist. */
type PageHead = DocumentHead & { exists: boolean }

/** Head of a page, with linked data if the page is indexed. @throws AppError `unavailable` until the site is set up. */
export async function buildHead(db: Db, request: PageRequest & { at: Millis }): Promise<PageHead> {
  const head = await buildPageHead(db, request)
  return head.indexed && head.linkedData.length === 0 ? { ...head, linkedData: [webPage(head, request)] } : head
}

/** The head of a page. `linkedData` describes the page's artist, shows, music or products; empty on other pages. */
async function buildPageHead(db: Db, { at, ...request }: PageRequest & { at: Millis }): Promise<PageHead> {
  if (request.page === '/shows') return buildShowsHead(db, { ...request, at })
  if (request.page === '/shows/:show') return buildShowHead(db, request, at)
  if (request.page === '/merch' || request.page === '/merch/:product') return buildMerchHead(db, request)
  if (request.page === '/challenge') return buildChallengeHead(db, request, findCurrentRow(db, at))
  if (request.page === '/challenge/:id')
    return buildChallengeHead(db, request, findChallengeRow(db, lastSegment(request.path)))
  if (request.page === '/music/:release' || request.page === '/music/:release/:track')
    return buildMusicHead(db, request, at)
  if (request.page === '/legal/:id') return buildLegalHead(db, request)
  if (request.page !== '/') return commonHead(await readSite(db), request, [])
  const [rows, shows, ...products] = await db.batch([siteQuery(db), upcomingShowsQuery(db, at), ...productQueries(db)])
  const site = requireSite(rows)
  const { origin } = request
  return commonHead(site, request, [
    ...groupAndShows(site, shows, { origin, at }),
    ...toProducts(...products)
      .filter(({ isFeatured }) => isFeatured)
      .map((product) => productWithOffer(product, { brand: site.name, origin, currency: site.currency })),
  ])
}

const artistId = (origin: string) => `${origin}/#artist`
const toArtist = ({ name, timeZone, currency }: SiteRow, origin: string) => ({
  id: artistId(origin),
  name,
  timeZone,
  currency,
})

type Shows = Awaited<ReturnType<typeof upcomingShowsQuery>>

const groupAndShows = (site: SiteRow, shows: Shows, { origin, at }: { origin: string; at: Millis }) => [
  musicGroup(site, origin),
  ...shows.map((show) => musicEvent(show, toArtist(site, origin), { origin, at })),
]

const COLLECTION_PAGES: readonly (Page | null)[] = ['/music', '/community']

/** Linked data of a page without linked data of its own. Leaves out posts and verses, which admins may still hide. */
function webPage({ url, title, description, siteName }: PageHead, { page, origin }: PageRequest): WithContext<WebPage> {
  return {
    '@context': 'https://schema.org',
    '@type': COLLECTION_PAGES.includes(page) ? 'CollectionPage' : 'WebPage',
    '@id': url,
    url,
    name: title,
    description,
    about: { '@type': 'MusicGroup', '@id': artistId(origin), name: siteName, url: `${origin}/` },
  }
}

async function buildShowsHead(db: Db, { at, ...request }: PageRequest & { at: Millis }): Promise<PageHead> {
  const [rows, shows] = await db.batch([siteQuery(db), upcomingShowsQuery(db, at)])
  const site = requireSite(rows)
  return commonHead(site, request, groupAndShows(site, shows, { ...request, at }))
}

async function buildShowHead(db: Db, request: PageRequest, at: Millis): Promise<PageHead> {
  const [rows, [show]] = await db.batch([siteQuery(db), showBySlugQuery(db, lastSegment(request.path))])
  const site = requireSite(rows)
  if (!show) return commonHead(site, { ...request, page: null }, [])
  const event = musicEvent(show, toArtist(site, request.origin), { ...request, at })
  const { title, description } = showPageMeta(show, site, at)
  return {
    ...commonHead(site, request, [event]),
    ...shareImage(show.imageUrl, show.imageAlt, request.origin),
    imageSize: { width: SHOW_IMAGE.width, height: SHOW_IMAGE.height },
    title: documentTitle(title, site),
    description,
    preload: [imagePreload(show.imageUrl, SHOW_IMAGE)],
  }
}

/** The store, or one product. */
async function buildMerchHead(db: Db, request: PageRequest): Promise<PageHead> {
  const [rows, ...productRows] = await db.batch([siteQuery(db), ...productQueries(db)])
  const site = requireSite(rows)
  const products = toProducts(...productRows)
  const { origin } = request
  const store = { brand: site.name, origin, currency: site.currency }
  if (request.page === '/merch') {
    const cover = products[0]?.images[0]
    return {
      ...commonHead(site, request, [productItemList(products, store)]),
      ...(cover && shareImage(cover.url, cover.alt, origin)),
    }
  }
  const product = products.find(({ slug }) => slug === lastSegment(request.path))
  if (!product) return commonHead(site, { ...request, page: null }, [])
  const [cover] = product.images
  return {
    ...commonHead(site, request, [productWithOffer(product, store)]),
    title: documentTitle(product.name, site),
    description: productDescription(product, site.name),
    openGraphType: 'product',
    ...(cover && {
      ...shareImage(cover.url, cover.alt, origin),
      preload: [imagePreload(cover.url, PRODUCT_IMAGE)],
    }),
  }
}

const shareImage = (url: string, alt: string, origin: string) => ({
  imageUrl: absoluteUrl(url, origin),
  imageAlt: alt,
  imageSize: null,
})

async function buildMusicHead(db: Db, request: PageRequest, at: Millis): Promise<PageHead> {
  const slug = pathSegment(request.path, 2)
  const trackSlug = request.page === '/music/:release/:track' ? pathSegment(request.path, 3) : null
  const [site, found] = await Promise.all([
    readSite(db),
    (trackSlug === null
      ? getReleasePage(db, { slug, at }).then((release) => ({ release, track: null }))
      : findReleaseTrack(db, { slug, trackSlug, at })
    ).catch(nullIfNotFound),
  ])
  if (!found) return commonHead(site, { ...request, page: null }, [])
  const { release, track } = found
  const { coverUrl, coverAlt } = track ?? release
  const cover = {
    ...shareImage(coverUrl, coverAlt, request.origin),
    preload: [imagePreload(coverUrl, track ? TRACK_COVER_IMAGE : RELEASE_COVER_IMAGE)],
  }
  const artist = toArtist(site, request.origin)
  if (!isReleased(release)) {
    const { title, description } = announcedMeta(release, site.timeZone)
    const album = announcedAlbum(release, artist, request.origin)
    return { ...commonHead(site, request, [album]), ...cover, title: documentTitle(title, site), description }
  }
  const { title, description, path } = track ? trackMeta(release, track) : releaseMeta(release, site.timeZone)
  return {
    ...commonHead(site, { ...request, path }, [
      track ? musicRecording(release, track, artist, request.origin) : musicAlbum(release, artist, request.origin),
    ]),
    ...cover,
    title: documentTitle(title, site),
    description,
    openGraphType: track ? 'music.song' : 'music.album',
  }
}

async function buildChallengeHead(
  db: Db,
  request: PageRequest,
  challengeQuery: ReturnType<typeof findChallengeRow>,
): Promise<PageHead> {
  const [site, challenge] = await Promise.all([readSite(db), challengeQuery])
  if (!challenge && request.page === '/challenge') return { ...commonHead(site, request, []), indexed: false }
  if (!challenge) return commonHead(site, { ...request, page: null }, [])
  return { ...commonHead(site, request, []), title: documentTitle(challenge.title, site) }
}

async function buildLegalHead(db: Db, request: PageRequest): Promise<PageHead> {
  const id = lastSegment(request.path)
  const [site, found] = await Promise.all([readSite(db), readLegalText(db, id).catch(nullIfNotFound)])
  const text = LEGAL_TEXTS.find(({ id: textId }) => textId === found?.id)
  if (!text) return commonHead(site, { ...request, page: null }, [])
  return { ...commonHead(site, request, []), title: documentTitle(text.title, site) }
}

function commonHead(site: SiteRow, { page, path, origin }: PageRequest, linkedData: readonly object[]): PageHead {
  const { description, indexed } = page ? PAGE_DEFINITIONS[page] : NOT_FOUND_HEAD
  return {
    exists: page !== null,
    title: documentTitle(page ? PAGE_TITLES[page] : NOT_FOUND_TITLE, site),
    description: description?.(site.name) ?? site.description,
    // An unknown page gets no path of its own: it could be `//elsewhere.example`.
    url: absoluteUrl(page ? path : '/', origin),
    siteName: site.name,
    imageUrl: absoluteUrl(site.shareImageUrl, origin),
    imageAlt: `${site.name}, ${site.tagline}`,
    imageSize: { width: 1200, height: 630 },
    openGraphType: 'website',
    icon: resizedImageUrl(site.iconUrl, 32),
    touchIcon: resizedImageUrl(site.iconUrl, 180),
    indexed,
    preload: page === '/' ? heroPreload(site) : [],
    linkedData,
    accent: site.accent,
    firstSection: page === '/' ? firstSection(site) : null,
  }
}

const firstSection = ({ sections }: SiteRow): string =>
  sections?.find(({ isVisible }) => isVisible)?.id ?? HOME_SECTIONS[0].id

const NOT_FOUND_HEAD = {
  description: () => 'This page does not exist.',
  indexed: false,
}

function heroPreload({ heroUrl, heroPortraitUrl }: SiteRow): DocumentHead['preload'] {
  const { portrait, landscape } = HERO_IMAGE
  return [imagePreload(heroPortraitUrl, portrait, portrait.media), imagePreload(heroUrl, landscape, landscape.media)]
}

/** Preloads the format that the page's `<picture>` prefers. Browsers ignore the preload of an unsupported type. */
function imagePreload(src: string, { widths, width, sizes }: ResponsiveImage, media: string | null = null) {
  const avif = avifUrl(src)
  const url = avif ?? src
  return { url, type: avif && 'image/avif', srcSet: buildSrcSet(url, widths, width), sizes, media }
}

function musicGroup(site: SiteRow, origin: string): WithContext<MusicGroup> {
  return {
    '@context': 'https://schema.org',
    '@type': 'MusicGroup',
    '@id': artistId(origin),
    name: site.name,
    description: site.description,
    url: `${origin}/`,
    image: absoluteUrl(site.shareImageUrl, origin),
    foundingLocation: { '@type': 'City', name: site.city },
    sameAs: [...new Set(Object.values(site.links).filter((link) => /^https?:/.test(link)))],
  }
}
