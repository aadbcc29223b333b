import { createMiddleware } from 'hono/factory'
import { Refused } from '../lib/refused'
import type { AppEnv } from './app-env'

/**
 * Refuses a visitor address that does this too often: 429 with Retry-After. The key is CF-Connecting-IP alone, which
 * the edge sets and a client cannot (wire, Common). Where the limiter itself fails, mail and log-in are refused and the rest allowed.
 */
export function limited(binding: 'LIMIT_WRITES' | 'LIMIT_MAIL' | 'LIMIT_AUTH') {
  return createMiddleware<AppEnv>(async (c, next) => {
    const address = c.req.header('cf-connecting-ip') ?? 'unknown'
    const outcome = await c.env[binding].limit({ key: `${c.req.path}:${address}` }).catch(() => null)
    const allowed = outcome ? outcome.success : binding === 'LIMIT_WRITES'
    if (!allowed) throw new Refused('rate_limited', 'That was a lot at once. Please wait a minute and try again.')
    await next()
  })
}
