import type { Context } from 'hono'
import type { AppEnv } from './app-env'

/**
 * What links in mails, canonical addresses and the sitemap begin with: the configured origin, also when the worker is
 * reached by another name. Only the demo believes the request's own host.
 */
export function siteOrigin(c: Context<AppEnv>): string {
  return c.var.config.origin ?? new URL(c.req.url).origin
}
