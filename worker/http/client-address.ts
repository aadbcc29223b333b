import type { Context } from 'hono'
import type { AppEnv } from './app-env'

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
