import type { Context } from 'hono'
import type { Actor, Deps } from '../deps'
import type { AppEnv } from './app-env'

/** Dependencies of domain functions, for this request. */
export const depsOf = (c: Context<AppEnv>): Deps => ({
  db: c.var.db,
  files: c.env.FILES,
  sessions: c.env.SESSIONS,
  secret: c.var.config.signingSecret,
  origin: siteOrigin(c),
})

/** The administrator who makes the request. @throws AppError as `requireAdmin` of the session. */
export async function actorOf(c: Context<AppEnv>): Promise<Actor> {
  return { actorId: (await c.var.session.requireAdmin()).userId, at: c.var.now() }
}

/**
 * Base URL of links in emails, canonical URLs and the sitemap: the configured origin, regardless of the request's host.
 * Only the demo uses the request's host.
 */
export function siteOrigin(c: Context<AppEnv>): string {
  return c.get('config').origin ?? new URL(c.req.url).origin
}
