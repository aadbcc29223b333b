import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { Refused } from '../lib/refused'
import type { AppEnv } from './app-env'
import { visitorAddress } from './visitor-address'

/**
 * Refuses a visitor address that does this too often: 429 with Retry-After. Counted by the route's pattern, so that
 * a hundred ids are not a hundred allowances. Where the limiter itself fails, mail and log-in
 * are refused and the rest allowed.
 */
export function limited(binding: 'LIMIT_WRITES' | 'LIMIT_MAIL' | 'LIMIT_AUTH') {
  return createMiddleware<AppEnv>(async (c, next) => {
    const key = `${c.req.method} ${routePath(c)} ${visitorAddress(c)}`
    const outcome = await c.env[binding].limit({ key }).catch(() => null)
    const allowed = outcome ? outcome.success : binding === 'LIMIT_WRITES'
    if (!allowed) throw new Refused('rate_limited', 'That was a lot at once. Please wait a minute and try again.')
    await next()
  })
}
