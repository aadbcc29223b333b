import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { AppError } from '../lib/app-error'
import type { AppEnv } from './app-env'

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether the request has a safe method (RFC 9110, 9.2.1). */
export const isReadMethod = (c: Context<AppEnv>) => READ_METHODS.has(c.req.method)

/**
 * Rejects writes from other origins. Hono's csrf() checks form bodies only, and ours are JSON. Without an Origin header
 * the browser must send `Sec-Fetch-Site: same-origin`.
 */
export const checkOrigin = createMiddleware<AppEnv>((c, next) =>
  isReadMethod(c) || c.var.endpoint?.anyOrigin ? next() : requireSameOrigin(c, next),
)

/**
 * Rejects requests from other origins, reads included. Requests with an access token pass, because browsers never add
 * one by themselves.
 */
export const requireSameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get('apiToken')) return next()
  const origin = c.req.header('origin')
  const isSameOrigin =
    origin === undefined ? c.req.header('sec-fetch-site') === 'same-origin' : origin === new URL(c.req.url).origin
  if (!isSameOrigin) throw new AppError('foreign_origin', 'That request did not come from this site.')
  await next()
})

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/

/** True on localhost, and in the demo, which may run on a local network. */
export function allowsPlainHttp(c: Context<AppEnv>): boolean {
  return c.var.config.isDemo || LOCAL_HOST.test(new URL(c.req.url).hostname)
}

/** Mounted before all middleware that acts on the content of a request. */
export const redirectToHttps = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.url.startsWith('https:') || allowsPlainHttp(c)) return next()
  const url = new URL(c.req.url)
  url.protocol = 'https:'
  return c.redirect(url.href, 308)
})
