import type { ChallengeState } from './challenge'
import type { Concert, ShowPage } from './concerts'
import type { HallOfFameEntry } from './hall-of-fame'
import type { Leaderboard, Mission } from './points'
import type { PollView } from './polls'
import type { Product } from './products'
import type { Release, ReleaseSummary } from './releases'
import type { SiteConfig } from './site'
import type { Track } from './tracks'

/** Pages of the single-page app. The worker serves these with status 200, and other paths as the 404 page. */
export const PAGES = [
  '/',
  '/subscribe',
  '/checkout',
  '/admin',
  '/admin-login',
  '/login',
  '/auth',
  '/signup',
  '/privacy-policy',
  '/shows',
  '/music',
  '/music/:release',
  '/music/:release/:track',
  '/shows/:id',
  '/challenge',
  '/admin/shows/:id/door',
  '/admin/releases/:id',
  '/verse-submissions',
  '/golden-verse-admin',
  '/csv-download',
  '/download-csv',
  '/account',
  '/verify-email',
  '/reset-password',
  '/undo-email-change',
  '/orders/:id',
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/alerts/confirm',
  '/inquiries/confirm',
  '/challenge/confirm',
  '/challenge/withdraw',
  '/challenge/:id',
  '/csv-link',
  '/demo/mailbox',
] as const

export type Page = (typeof PAGES)[number]

/**
 * The document title before the artist's name; null where the name comes first. A page about one record is titled after
 * it: its head does so on the server and `usePageTitle` in the browser.
 */
export const PAGE_TITLES: Readonly<Record<Page, string | null>> = {
  '/': null,
  '/subscribe': 'Subscribe',
  '/checkout': 'Checkout',
  '/admin': 'Admin',
  '/admin-login': 'Admin Login',
  '/login': 'Login',
  '/auth': 'Login or Sign Up',
  '/signup': 'Sign Up',
  '/privacy-policy': 'Privacy Policy',
  '/shows': 'Shows',
  '/music': 'Music',
  '/music/:release': 'Release',
  '/music/:release/:track': 'Track',
  '/shows/:id': 'Show',
  '/challenge': 'Verse Challenge',
  '/admin/shows/:id/door': 'Door',
  '/admin/releases/:id': 'Release Editor',
  '/verse-submissions': 'Verse Submissions',
  '/golden-verse-admin': 'Challenge Admin',
  '/csv-download': 'CSV Download',
  '/download-csv': 'Download CSV',
  '/account': 'Your Account',
  '/verify-email': 'Confirm Your Address',
  '/undo-email-change': 'Undo the Change',
  '/reset-password': 'New Password',
  '/orders/:id': 'Your Order',
  '/newsletter/confirm': 'Join the List',
  '/newsletter/unsubscribe': 'Your Mail',
  '/alerts/confirm': 'Show Alerts',
  '/inquiries/confirm': 'Your Question',
  '/challenge/confirm': 'Confirm Your Verse',
  '/challenge/withdraw': 'Take Your Verse Back',
  '/challenge/:id': 'A Verse Challenge',
  '/csv-link': 'The Ballots',
  '/demo/mailbox': 'Demo Mailbox',
}

export const documentTitle = (title: string | null, { name, tagline }: { name: string; tagline: string }) =>
  title === null ? `${name} | ${tagline}` : `${title} | ${name}`

const patterns = PAGES.map((page) => ({ page, pattern: new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`) }))

/** The page at exactly this path, or null. */
export function findPage(path: string): Page | null {
  return patterns.find(({ pattern }) => pattern.test(path))?.page ?? null
}

/** Login pages, admin pages and targets of emailed links. */
const EXCLUDED_PAGES = [
  '/login',
  '/auth',
  '/signup',
  '/admin',
  '/admin/shows/:id/door',
  '/admin/releases/:id',
  '/admin-login',
  '/verse-submissions',
  '/golden-verse-admin',
  '/csv-download',
  '/download-csv',
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/alerts/confirm',
  '/inquiries/confirm',
  '/challenge/confirm',
  '/challenge/withdraw',
  '/csv-link',
  '/verify-email',
  '/undo-email-change',
  '/reset-password',
  '/demo/mailbox',
]

/** Pages a login may redirect to. Parameters match one segment. */
const ALLOWED_PATHS = PAGES.filter((page) => !EXCLUDED_PAGES.includes(page)).map(
  (page) => new RegExp(`^${page.replace(/:\w+/g, '[\\w-]+')}$`),
)
const BASE_URL = 'https://here.invalid'

/** The path to redirect to after login: an allowed page with query and hash, else `/`. `target` is untrusted. */
export function returnPath(target: unknown): string {
  if (typeof target !== 'string' || !/^\/(?![/\\])/.test(target) || /[\u0000-\u001f\\]/.test(target)) return '/'
  let url: URL
  try {
    url = new URL(target, BASE_URL)
  } catch {
    return '/'
  }
  const allowed = url.origin === BASE_URL && ALLOWED_PATHS.some((page) => page.test(url.pathname))
  return allowed ? `${url.pathname}${url.search}${url.hash}` : '/'
}

/** Data of a server-rendered page, as a visitor would receive it from the API. The browser fetches the rest. */
export type PageData = {
  config: SiteConfig
  tracks?: Track[]
  products?: Product[]
  upcoming?: Concert[]
  /** Past ones included. */
  concerts?: Concert[]
  polls?: PollView[]
  leaderboard?: Leaderboard
  missions?: Mission[]
  /** Null without a finished challenge. */
  challenge?: HallOfFameEntry | null
  /** Of the running or last challenge; null without any. */
  challengeState?: ChallengeState | null
  show?: ShowPage
  releases?: ReleaseSummary[]
  release?: Release
  /**
   * The clock that rendering and hydration use, epoch milliseconds: the last time at which the page changed by time
   * alone, so that the ETag stays the same until the next change.
   */
  hydrationTime?: number
}
