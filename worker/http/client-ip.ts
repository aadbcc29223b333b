import type { Context } from 'hono'
import type { AppEnv } from './app-env'

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
