import { challengeRow, currentRow } from '../challenge/current'
import { showRows } from '../concerts/concerts'
import { aboutShow, musicEvent, showsAhead } from '../concerts/concerts.linked-data'
import { HERO_ART, type PictureWidth, SHOW_ART, srcSetOf } from '../contract/pictures'
import type { Db } from '../db/client'
import type { Head } from '../http/shell'
import { absolute } from '../lib/absolute'
import type { Millis } from '../lib/clock'
import { featuredProducts, productOffers } from '../shop/shop.linked-data'
import { lastSegment, PAGE_HEADS, type Page } from './pages'
import { artist, artistRows, type Site, theArtist } from './site'

type Asked = {
  /** Which page this is; null for the 404 card. */
  page: Page | null
  /** Its path, parameters filled in. */
  path: string
  origin: string
}

/** A head, and whether there is anything at the address: a show's page is there only while its show is. */
type Found = Head & { isFound: boolean }

/**
 * The head of a page, in one round trip to D1. The home page also tells search engines of the shows that are not
 * over `at` this moment and of the featured products; a show's page of that show. The challenge's page is there from
 * the first challenge on.
 * @throws Refused `unavailable` while nobody has set the site up.
 */
export async function headOf(db: Db, { at, ...asked }: Asked & { at: Millis }): Promise<Found> {
  if (asked.page === '/shows/:id') return showHead(db, asked)
  if (asked.page === '/challenge') return challengeHead(db, asked, currentRow(db.$client, at))
  if (asked.page === '/challenge/:id')
    return challengeHead(db, asked, challengeRow(db.$client, lastSegment(asked.path)))
  if (asked.page !== '/') return head(await artist(db), asked, [])
  const [rows, shows, featured] = await db.batch([artistRows(db), showsAhead(db, at), featuredProducts(db)])
  const row = theArtist(rows)
  const { origin } = asked
  const group = { id: `${origin}/#artist`, name: row.name }
  return head(row, asked, [
    musicGroup(row, group.id, origin),
    ...shows.map((show) => musicEvent(show, group, origin)),
    ...productOffers(featured, row.name, origin),
  ])
}

async function showHead(db: Db, asked: Asked): Promise<Found> {
  const [rows, [show]] = await db.batch([artistRows(db), showRows(db, lastSegment(asked.path))])
  const row = theArtist(rows)
  if (!show) return head(row, { ...asked, page: null }, [])
  const event = musicEvent(show, { id: `${asked.origin}/#artist`, name: row.name }, asked.origin)
  const { title, description } = aboutShow(show, row.name)
  return {
    ...head(row, asked, [event]),
    title: `${title} | ${row.name}`,
    description,
    preload: [showArt(show.imageUrl)],
  }
}

async function challengeHead(db: Db, asked: Asked, found: ReturnType<typeof challengeRow>): Promise<Found> {
  const [row, challenge] = await Promise.all([artist(db), found])
  if (!challenge) return head(row, { ...asked, page: null }, [])
  return { ...head(row, asked, []), title: `${challenge.title} | ${row.name}` }
}

function head(row: Site, { page, path, origin }: Asked, linkedData: readonly object[]): Found {
  const { title, description, indexed } = page ? PAGE_HEADS[page] : NOWHERE
  return {
    isFound: page !== null,
    title: title ? `${title} | ${row.name}` : `${row.name} | ${row.tagline}`,
    description: description?.(row.name) ?? row.description,
    // An unknown path is anything that somebody typed, `//elsewhere.example` too: it is not repeated.
    url: absolute(page ? path : '/', origin),
    siteName: row.name,
    imageUrl: absolute(row.shareImageUrl, origin),
    imageAlt: `${row.name}, ${row.tagline}`,
    icon: rendition(row.iconUrl, 32),
    touchIcon: rendition(row.iconUrl, 180),
    indexed,
    preload: page === '/' ? heroArt(row) : [],
    linkedData,
  }
}

const NOWHERE = { title: 'Page Not Found', description: () => 'There is nothing at this address.', indexed: false }

function heroArt({ heroUrl, heroPortraitUrl }: Site): Head['preload'] {
  const { portrait, landscape } = HERO_ART
  return [
    { art: portrait, url: heroPortraitUrl },
    { art: landscape, url: heroUrl },
  ].map(({ art, url }) => ({ url, srcSet: srcSetOf(url, art.widths, art.width), sizes: art.sizes, media: art.media }))
}

const showArt = (url: string): Head['preload'][number] => ({
  url,
  srcSet: srcSetOf(url, SHOW_ART.widths, SHOW_ART.width),
  sizes: SHOW_ART.sizes,
  media: null,
})

/** A picture of ours in a smaller width; somebody else's as it is. */
export function rendition(url: string, width: PictureWidth): string {
  return url.startsWith('/media/') ? `${url}?w=${width}` : url
}

function musicGroup(row: Site, id: string, origin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'MusicGroup',
    '@id': id,
    name: row.name,
    description: row.description,
    url: `${origin}/`,
    image: absolute(row.shareImageUrl, origin),
    foundingLocation: { '@type': 'City', name: row.city },
    sameAs: [...new Set(Object.values(row.links).filter((link) => /^https?:/.test(link)))],
  }
}
