import { PAGES } from './pages'

/** Pages that nobody comes back to: the doors themselves, the desk behind its own, and what a mail's link opens. */
const ELSEWHERE = [
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
const RETURNS = PAGES.filter((page) => !ELSEWHERE.includes(page)).map(
  (page) => new RegExp(`^${page.replace(/:\w+/g, '[\\w-]+')}$`),
)
const HERE = 'https://here.invalid'

/**
 * The path to go to after a log-in, from an address that anybody may have written (rulings 13): a page of the
 * allow-list with its query and hash, else `/`.
 */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted) || /[\u0000-\u001f\\]/.test(wanted)) return '/'
  let url: URL
  try {
    url = new URL(wanted, HERE)
  } catch {
    return '/'
  }
  const allowed = url.origin === HERE && RETURNS.some((page) => page.test(url.pathname))
  return allowed ? `${url.pathname}${url.search}${url.hash}` : '/'
}
