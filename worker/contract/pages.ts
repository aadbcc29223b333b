import { ADMIN_SCREEN_PATHS, ADMIN_SCREENS, type ScreenPath } from './admin-screens'
import type { ChallengeState, PublicChallenge } from './challenge'
import type { ShowPage } from './check-in'
import type { ExclusivePost, Post } from './community'
import type { Concert } from './concerts'
import type { VariantFormats } from './downloads'
import { pathPattern } from './endpoint'
import type { HallOfFameEntry } from './hall-of-fame'
import type { LegalText } from './legal-texts'
import type { Leaderboard, Mission } from './points'
import type { PollView } from './polls'
import type { Product } from './products'
import type { AnnouncedRelease, Release, ReleaseSummary } from './releases'
import type { SiteConfig } from './site'
import type { Track } from './tracks'

// `documentTitle` adds the artist's name to these titles; null stands for the name and the tagline. A page about one
// record (a show, a release) has the record's title instead, set by the server's head and by `usePageTitle`.

/** Pages that a login does not return to: login pages, targets of emailed links and others. */
const NO_RETURN_TITLES = {
  '/admin-login': 'Admin Login',
  '/login': 'Login',
  '/auth': 'Login or Sign Up',
  '/signup': 'Sign Up',
  '/verify-email': 'Confirm Your Email',
  '/undo-email-change': 'Undo the Change',
  '/reset-password': 'New Password',
  '/newsletter/confirm': 'Confirm Your Subscription',
  '/newsletter/unsubscribe': 'Email Preferences',
  '/alerts/confirm': 'Show Alerts',
  '/stock-alerts/confirm': 'Back in Stock',
  '/inquiries/confirm': 'Your Question',
  '/challenge/confirm': 'Confirm Your Verse',
  '/challenge/withdraw': 'Withdraw Your Verse',
  '/csv-link': 'The Ballots',
  '/demo/mailbox': 'Demo Mailbox',
  '/offline': 'Offline',
} as const

const ADMIN_TITLES = {
  '/admin/shows/:id/door': 'Door',
  '/admin/releases/:id/preview': 'Release Preview',
  '/verse-submissions': 'Verse Submissions',
  '/golden-verse-admin': 'Challenge Admin',
  '/csv-download': 'CSV Download',
  '/download-csv': 'Download CSV',
} as const

const RETURN_TITLES = {
  '/': null,
  '/subscribe': 'Subscribe',
  '/checkout': 'Checkout',
  '/privacy-policy': 'Privacy Policy',
  '/developers': 'Developers',
  '/legal/:id': 'Legal',
  '/shows': 'Shows',
  '/music': 'Music',
  '/music/:release': 'Release',
  '/music/:release/:track': 'Track',
  '/merch': 'Merch',
  '/merch/:product': 'Product',
  '/shows/:show': 'Show',
  '/community': 'Community',
  '/hub': 'Hub',
  '/hub/exclusive': 'Exclusive',
  '/hub/missions': 'Supporter Missions',
  '/challenge': 'Verse Challenge',
  '/account': 'Your Account',
  '/orders/:id': 'Your Order',
  '/challenge/:id': 'A Verse Challenge',
  '/redeem': 'Redeem a Code',
} as const

/** Screens of the dashboard; `| Admin` distinguishes them from public pages of the same name, such as Music. */
const SCREEN_TITLES = Object.fromEntries(ADMIN_SCREENS.map(({ path, label }) => [path, `${label} | Admin`])) as Record<
  ScreenPath,
  string
>

/** `findPage` takes the first match, so `/challenge/confirm` comes before `/challenge/:id`. */
export const PAGE_TITLES = { ...NO_RETURN_TITLES, ...ADMIN_TITLES, ...RETURN_TITLES, ...SCREEN_TITLES } as const

export type Page = keyof typeof PAGE_TITLES

/** Every page of the site. The worker answers all other paths with the 404 page. */
export const PAGES = Object.keys(PAGE_TITLES) as Page[]

export const documentTitle = (title: string | null, { name, tagline }: { name: string; tagline: string }) =>
  title === null ? `${name} | ${tagline}` : `${title} | ${name}`

const patterns = PAGES.map((page) => ({ page, pattern: pathPattern(page) }))

/** The page at exactly this path, or null. */
export function findPage(path: string): Page | null {
  return patterns.find(({ pattern }) => pattern.test(path))?.page ?? null
}

/** Stricter than the pattern of a page, because the path is untrusted. */
const returnPattern = (page: string) => pathPattern(page, '[\\w-]+')
/** Pages that the site's login may return to, and those of the dashboard's login. */
const RETURN_PATTERNS = Object.keys(RETURN_TITLES).map(returnPattern)
const ADMIN_RETURN_PATTERNS = [...ADMIN_SCREEN_PATHS, ...Object.keys(ADMIN_TITLES)].map(returnPattern)
const BASE_URL = 'https://here.invalid'

/** The path to redirect to after login: an allowed page with query and hash, else `/`. `target` is untrusted. */
export const returnPath = (target: unknown): string => allowedPath(target, RETURN_PATTERNS) ?? '/'

/** The path to redirect to after the dashboard's login: an admin page, else `/admin`. `target` is untrusted. */
export const adminReturnPath = (target: unknown): string => allowedPath(target, ADMIN_RETURN_PATTERNS) ?? '/admin'

function allowedPath(target: unknown, allowed: readonly RegExp[]): string | null {
  if (typeof target !== 'string' || !/^\/(?![/\\])/.test(target) || /[\u0000-\u001f\\]/.test(target)) return null
  let url: URL
  try {
    url = new URL(target, BASE_URL)
  } catch {
    return null
  }
  const isAllowed = url.origin === BASE_URL && allowed.some((pattern) => pattern.test(url.pathname))
  return isAllowed ? `${url.pathname}${url.search}${url.hash}` : null
}

/** Data of a server-rendered page, as a visitor would receive it from the API. The browser fetches the rest. */
export type PageData = {
  config: SiteConfig
  /** The request had no session cookie: the page renders a visitor's content and does not fetch the session. */
  isVisitor?: true
  tracks?: Track[]
  products?: Product[]
  /** For the home page. */
  physicalProducts?: Product[]
  variantFormats?: VariantFormats[]
  upcomingConcerts?: Concert[]
  /** All shows, past ones included. */
  concerts?: Concert[]
  polls?: PollView[]
  closedPolls?: PollView[]
  leaderboard?: Leaderboard
  missions?: Mission[]
  /** The first page of the community's posts; `next` is the query string of the second. */
  posts?: { rows: Post[]; next: string | null }
  exclusivePosts?: ExclusivePost[]
  /** Result of the latest finished challenge; null without one. */
  latestResult?: HallOfFameEntry | null
  /** Of the running or last challenge; null without any. */
  challengeState?: ChallengeState | null
  /** Null before the first challenge. */
  currentChallenge?: PublicChallenge | null
  challengeById?: PublicChallenge
  show?: ShowPage
  legalText?: LegalText
  releases?: ReleaseSummary[]
  announcedReleases?: AnnouncedRelease[]
  release?: Release | AnnouncedRelease
  /**
   * The clock that rendering and hydration use, epoch milliseconds: the last time at which the page changed by time
   * alone, so that the ETag stays the same until the next change.
   */
  hydrationTime?: number
}
