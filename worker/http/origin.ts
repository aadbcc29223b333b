import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { AppError } from '../lib/app-error'
import type { AppEnv } from './app-env'

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** True for the methods that change nothing (RFC 9110, 9.2.1). */
export const isReadMethod = (c: Context<AppEnv>) => READ_METHODS.has(c.req.method)

/** POSTs that prove themselves, by a signature or a mailed token, and so come without an Origin and not as JSON. */
const ORIGIN_EXEMPT_PATHS: readonly string[] = [
  '/api/webhooks/stripe',
  '/api/webhooks/resend',
  '/api/newsletter/unsubscribe',
]

/** True for the webhooks and for one-click unsubscribe (RFC 8058): the only writes that another origin may send. */
export const isOriginExempt = (c: Context<AppEnv>) =>
  c.req.method === 'POST' && ORIGIN_EXEMPT_PATHS.includes(c.req.path)

/**
 * Every other write needs the own Origin (ruling 13). Hono's csrf() looks at form bodies only, and ours are JSON.
 * A missing Origin passes only where the browser itself vouches: `Sec-Fetch-Site: same-origin`.
 */
export const checkOrigin = createMiddleware<AppEnv>((c, next) =>
  isReadMethod(c) || isOriginExempt(c) ? next() : requireSameOrigin(c, next),
)

/** The same for one route that is a read and needs it all the same. */
export const requireSameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header('origin')
  const isSameOrigin =
    origin === undefined ? c.req.header('sec-fetch-site') === 'same-origin' : origin === new URL(c.req.url).origin
  if (!isSameOrigin) throw new AppError('foreign_origin', 'That request did not come from this site.')
  await next()
})

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/

/** True where plain http is right: on this machine, and in a demo, which somebody may show on their own network. */
export function allowsPlainHttp(c: Context<AppEnv>): boolean {
  return c.var.config.demo || LOCAL_HOST.test(new URL(c.req.url).hostname)
}

/** Leads every request in plain text to https before anything is read of it or said to it. */
export const redirectToHttps = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.url.startsWith('https:') || allowsPlainHttp(c)) return next()
  const url = new URL(c.req.url)
  url.protocol = 'https:'
  return c.redirect(url.href, 308)
})
