import { PAGES } from '../contract/pages'
import type { Db } from '../db/client'
import type { Head } from '../http/shell'
import type { Millis } from '../lib/clock'
import { artist, type Site } from './site'

const TITLES: Record<string, string> = {
  '/subscribe': 'Subscribe',
  '/checkout': 'Checkout',
  '/privacy-policy': 'Privacy Policy',
}

/** True when the app has a screen at this path (a trailing slash is forgiven). */
export function isPage(path: string): boolean {
  return (PAGES as readonly string[]).includes(path.length > 1 ? path.replace(/\/$/, '') : path)
}

/** The head of a page, from the artist's row. */
export async function headOf(
  db: Db,
  { path, found, origin }: { path: string; found: boolean; origin: string; at: Millis },
): Promise<Head> {
  const row = await artist(db)
  const absolute = (url: string) => new URL(url, origin).href
  const title = found ? TITLES[path] : 'Page Not Found'
  return {
    title: title ? `${title} | ${row.name}` : `${row.name} | ${row.tagline}`,
    description: row.description,
    url: absolute(path),
    siteName: row.name,
    imageUrl: absolute(row.shareImageUrl),
    imageAlt: `${row.name}, ${row.tagline}`,
    icon: `${row.iconUrl}?w=32`,
    touchIcon: `${row.iconUrl}?w=180`,
    indexed: found && path !== '/checkout',
    linkedData: path === '/' ? [musicGroup(row, origin)] : [],
  }
}

function musicGroup(row: Site, origin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'MusicGroup',
    name: row.name,
    description: row.description,
    url: origin,
    image: new URL(row.shareImageUrl, origin).href,
    foundingLocation: { '@type': 'City', name: row.city },
    sameAs: Object.values(row.links).filter((link) => link !== ''),
  }
}
