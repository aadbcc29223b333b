import type { Concert, ShowPage } from './concerts'
import type { HallOfFameEntry } from './hall-of-fame'
import type { Leaderboard, Mission } from './points'
import type { PollView } from './polls'
import type { Product } from './products'
import type { SiteConfig } from './site'
import type { Track } from './tracks'

/**
 * The pages of the single-page app, in the specification's order (section 2). The worker answers these with the
 * shell and status 200, and every other path with the shell, the 404 card and status 404 (ruling 14).
 */
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
  '/shows/:id',
  '/challenge',
  '/admin/shows/:id/door',
  '/verse-submissions',
  '/golden-verse-admin',
  '/csv-download',
  '/download-csv',
  '/account',
  '/verify-email',
  '/reset-password',
  '/orders/:id',
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/alerts/confirm',
  '/inquiries/confirm',
  '/challenge/withdraw',
  '/challenge/:id',
  '/csv-link',
  '/demo/mailbox',
] as const

/** Pages that nobody comes back to: the doors themselves, the desk behind its own, and what a mail's link opens. */
const EXCLUDED_PAGES = [
  '/login',
  '/auth',
  '/signup',
  '/admin',
  '/admin/shows/:id/door',
  '/admin-login',
  '/verse-submissions',
  '/golden-verse-admin',
  '/csv-download',
  '/download-csv',
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/alerts/confirm',
  '/inquiries/confirm',
  '/challenge/withdraw',
  '/csv-link',
  '/verify-email',
  '/reset-password',
  '/demo/mailbox',
]

/** Where somebody who logs in may be sent: pages of ours that make sense right after. Parameters stand for one segment. */
const ALLOWED_PATHS = PAGES.filter((page) => !EXCLUDED_PAGES.includes(page)).map(
  (page) => new RegExp(`^${page.replace(/:\w+/g, '[\\w-]+')}$`),
)
const BASE_URL = 'https://here.invalid'

/**
 * The path to go to after a log-in, from an address that anybody may have written (rulings 13): a page of the
 * allow-list with its query and hash, else `/`.
 */
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

/**
 * What a page that the worker renders is given, as a visitor would be answered: each is the answer of the call that the
 * page would make. What is left out the browser asks for itself, like everything that is one person's.
 */
export type PageData = {
  config: SiteConfig
  tracks?: Track[]
  products?: Product[]
  upcoming?: Concert[]
  polls?: PollView[]
  leaderboard?: Leaderboard
  missions?: Mission[]
  /** Null where none has been finished. */
  challenge?: HallOfFameEntry | null
  show?: ShowPage
  /**
   * The last moment before the drawing at which this page turned into another by itself, in epoch milliseconds: what the
   * time says, it says as of then, so that the browser begins with the very same page. Only that moment, not the
   * drawing's own: the page stays the same, and so does its tag, until the next turn.
   */
  drawnAt?: number
}
