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
