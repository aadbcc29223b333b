import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { AppError } from '../lib/app-error'
import type { AppEnv } from './app-env'

/**
 * Refuses whoever does this too often: 429 with Retry-After. Counted by visitor address, or where it says so by person
 * (a hall full of fans who vote behind one address are many people), or by what `by` tells them apart with. Counted by the route's pattern, so that a hundred
 * ids are not a hundred allowances. Where the limiter itself fails, mail and log-in are refused and the rest allowed.
 */
export function rateLimit(
  binding: 'LIMIT_WRITES' | 'LIMIT_MAIL' | 'LIMIT_AUTH',
  by: 'address' | 'person' | ((c: Context<AppEnv>) => Promise<string | null>) = 'address',
) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const session = by === 'person' ? await c.var.session.payload() : null
    const callerKey = typeof by === 'function' ? await by(c) : session && `user ${session.userId}`
    const key = `${c.req.method} ${routePath(c)} ${callerKey ?? clientIp(c)}`
    const result = await c.env[binding].limit({ key }).catch(() => null)
    const allowed = result ? result.success : binding === 'LIMIT_WRITES'
    if (!allowed) throw new AppError('rate_limited', 'That was a lot at once. Please wait a minute and try again.')
    await next()
  })
}

/**
 * What limits count a visitor by: CF-Connecting-IP alone, which the edge sets and a client cannot (wire, Common). An
 * IPv6 line owns a whole /64, so its lower half, which every device changes at will, is left off.
 */
export function clientIp(c: Context<AppEnv>): string {
  const address = c.req.header('cf-connecting-ip') ?? 'unknown'
  if (!address.includes(':') || address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  const [front = '', back] = address.toLowerCase().split('::')
  const groups = front.split(':').filter(Boolean)
  const tailGroups = (back ?? '').split(':').filter(Boolean)
  const zeros = back === undefined ? 0 : 8 - groups.length - tailGroups.length
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tailGroups]
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
