import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { Refused } from '../lib/refused'
import type { AppEnv } from './app-env'
import { visitorAddress } from './visitor-address'

/**
 * Refuses whoever does this too often: 429 with Retry-After. Counted by visitor address, or where it says so by person
 * (a hall full of fans who vote behind one address are many people), or by what `by` tells them apart with. Counted by the route's pattern, so that a hundred
 * ids are not a hundred allowances. Where the limiter itself fails, mail and log-in are refused and the rest allowed.
 */
export function limited(
  binding: 'LIMIT_WRITES' | 'LIMIT_MAIL' | 'LIMIT_AUTH',
  by: 'address' | 'person' | ((c: Context<AppEnv>) => Promise<string | null>) = 'address',
) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const person = by === 'person' ? await c.var.session.claim() : null
    const other = typeof by === 'function' ? await by(c) : person && `user ${person.userId}`
    const key = `${c.req.method} ${routePath(c)} ${other ?? visitorAddress(c)}`
    const outcome = await c.env[binding].limit({ key }).catch(() => null)
    const allowed = outcome ? outcome.success : binding === 'LIMIT_WRITES'
    if (!allowed) throw new Refused('rate_limited', 'That was a lot at once. Please wait a minute and try again.')
    await next()
  })
}
