import { etag } from 'hono/etag'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './app-env'

const withEtag = etag()

/**
 * For public answers that are the same for everybody and seldom change: anybody may keep one, and asks before using
 * it again, so that an edit shows at once and an unchanged answer costs no bytes (304).
 */
export const conditionalGet = createMiddleware<AppEnv>(async (c, next) =>
  withEtag(c, async () => {
    await next()
    if (c.res.ok) c.header('cache-control', 'public, no-cache')
  }),
)

/**
 * The same for a public answer that tells a supporter something of their own, and is never kept in memory: moderation
 * shows at once. Whoever sends a cookie is answered alone.
 */
export const conditionalGetForVisitors = createMiddleware<AppEnv>((c, next) => {
  c.header('vary', 'cookie')
  return c.req.header('cookie') === undefined ? conditionalGet(c, next) : next()
})
