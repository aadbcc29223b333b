import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { AppError } from '../lib/app-error'
import type { AppEnv } from './app-env'
import { clientAddress64 } from './client-address'

/** What a limit counts requests by. A function returns its own key; null stands for the IP address. */
type LimitedBy = 'address' | 'user' | ((c: Context<AppEnv>) => Promise<string | null>)

/**
 * Rate limit per route pattern and IP address, or user ('user'), because many users can share a venue's address.
 * If the limiter fails, email and log-in are rejected and other writes allowed.
 * @throws AppError `rate_limited`.
 */
export function rateLimit(binding: 'LIMIT_WRITES' | 'LIMIT_MAIL' | 'LIMIT_AUTH', by: LimitedBy = 'address') {
  return createMiddleware<AppEnv>(async (c, next) => {
    const key = `${c.req.method} ${routePath(c)} ${(await callerKey(c, by)) ?? clientAddress64(c)}`
    const result = await c.env[binding].limit({ key }).catch(() => null)
    const isAllowed = result ? result.success : binding === 'LIMIT_WRITES'
    if (!isAllowed) throw new AppError('rate_limited', 'That was a lot at once. Please wait a minute and try again.')
    await next()
  })
}

async function callerKey(c: Context<AppEnv>, by: LimitedBy): Promise<string | null> {
  if (by === 'address') return null
  if (by !== 'user') return by(c)
  const session = await c.get('session').payload()
  // With the epoch, because an ended session that KV still returns must not use up the account's limit.
  return session && `user ${session.userId} ${session.epoch}`
}
