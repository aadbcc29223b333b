import { PAGES } from './pages'

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
