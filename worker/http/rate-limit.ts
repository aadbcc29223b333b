import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { AppError } from '../lib/app-error'
import type { AppEnv } from './app-env'

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

/** The client's IPv4 address or IPv6 /64: a device can choose the lower half of its IPv6 address. */
export function clientAddress64(c: Context<AppEnv>): string {
  const address = parseAddress(c)
  return typeof address === 'string' ? address : `${address.slice(0, 4).join(':')}::/64`
}

/** The client's IPv4 /24 or IPv6 /64. */
export function clientNetwork64(c: Context<AppEnv>): string {
  const address = parseAddress(c)
  return typeof address === 'string' ? address.replace(/\.\d+$/, '.0/24') : clientAddress64(c)
}

/** The client's IPv6 /48, which one customer can have as a whole; null for IPv4. */
export function clientPrefix48(c: Context<AppEnv>): string | null {
  const address = parseAddress(c)
  return typeof address === 'string' ? null : `${address.slice(0, 3).join(':')}::/48`
}

/** The client's IPv4 /24 or IPv6 /48, the widest networks that one customer usually has. */
export const clientNetwork48 = (c: Context<AppEnv>): string => clientPrefix48(c) ?? clientNetwork64(c)

/** Address in CF-Connecting-IP, which clients cannot set: IPv4 as text, IPv6 as its groups without leading zeros. */
function parseAddress(c: Context<AppEnv>): string | string[] {
  const address = c.req.header('cf-connecting-ip') ?? 'unknown'
  if (!address.includes(':') || address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  const [front = '', back] = address.toLowerCase().split('::')
  const groups = front.split(':').filter(Boolean)
  const tailGroups = (back ?? '').split(':').filter(Boolean)
  const zeros = back === undefined ? 0 : 8 - groups.length - tailGroups.length
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tailGroups]
  return all.map((group) => group.replace(/^0+(?=.)/, ''))
}
