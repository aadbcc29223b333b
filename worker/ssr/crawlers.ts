import { resizedImageUrl } from '../contract/images'
import { PAGES } from '../contract/pages'
import { type Millis, toIso } from '../lib/clock'
import type { SiteRow } from '../site/site'
import { PAGE_DEFINITIONS } from './pages'
import { BACKGROUND_COLOR } from './shell'

// Without the pages of single records, and /challenge, which may have no challenge: callers of `sitemapXml` pass the
// paths that exist.
const INDEXED_PAGES = PAGES.filter(
  (page) => PAGE_DEFINITIONS[page].indexed && !page.includes(':') && page !== '/challenge',
)

/** Sitemap (sitemaps.org protocol 0.9) of the indexed pages and `extraPaths`. */
export function sitemapXml(origin: string, extraPaths: readonly string[]): string {
  const urls = [...INDEXED_PAGES, ...extraPaths].map((page) => `  <url><loc>${escapeXml(origin + page)}</loc></url>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}

/**
 * robots.txt (RFC 9309). Excludes the API, except what other sites embed. Pages outside the index are not excluded,
 * because a crawler must read them to find their `noindex`.
 */
export function robotsTxt(origin: string): string {
  return [
    'User-agent: *',
    'Disallow: /api/',
    'Allow: /api/embed/',
    'Allow: /api/oembed',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}

/** Months for which security.txt is valid. RFC 9116 recommends less than a year. */
const SECURITY_TXT_MONTHS = 6

/** security.txt (RFC 9116). It expires at the start of a month, so that its ETag changes once a month. */
export function securityTxt(origin: string, { links }: Pick<SiteRow, 'links'>, now: Millis): string {
  const today = new Date(now)
  const expires = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + SECURITY_TXT_MONTHS, 1)
  return [
    `Contact: ${origin}/privacy-policy#ask`,
    ...(links.contact.startsWith('https://') ? [`Contact: ${links.contact}`] : []),
    `Expires: ${toIso(expires)}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n')
}

/** W3C Web Application Manifest. */
export function webManifest(site: SiteRow): object {
  const icon = (src: string, size: number, purpose: 'any' | 'maskable') => ({
    src,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  return {
    id: '/',
    name: site.name,
    short_name: site.name,
    description: site.description,
    lang: 'en-US',
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: BACKGROUND_COLOR,
    theme_color: BACKGROUND_COLOR,
    categories: ['music', 'entertainment'],
    icons: [
      icon(resizedImageUrl(site.iconUrl, 192), 192, 'any'),
      icon(site.iconUrl, 512, 'any'),
      icon(site.maskableIconUrl, 512, 'maskable'),
    ],
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const escapeXml = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
