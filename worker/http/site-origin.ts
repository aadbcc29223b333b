import type { Context } from 'hono'
import type { AppEnv } from './app-env'

/** What links in mails begin with: the configured origin. Only the demo believes the request's own host. */
export function siteOrigin(c: Context<AppEnv>): string {
  return c.var.config.origin ?? new URL(c.req.url).origin
}
