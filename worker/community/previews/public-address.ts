import { isIP } from 'node:net'

const MAX_URL_LENGTH = 500
/** Private names (RFC 6761, 6762, 7686, 8375, 9476) and names used by routers. */
const PRIVATE_TLDS = new Set([
  'local',
  'localhost',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'arpa',
  'onion',
  'alt',
  'test',
  'invalid',
])
// At least two labels, the last alphabetic or an `xn--` name: no IP address matches.
const PUBLIC_HOSTNAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/**
 * The URL without its fragment; null unless it is https on the default port, without credentials, and its host is a
 * public name (no IP address) other than our own host and its subdomains.
 */
export function parsePublicUrl(text: string, ownHost: string | null): URL | null {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return null
  if (!PUBLIC_HOSTNAME.test(url.hostname) || url.hostname.length > 253) return null
  if (ownHost !== null && `.${url.hostname}`.endsWith(`.${ownHost}`)) return null
  if (PRIVATE_TLDS.has(url.hostname.slice(url.hostname.lastIndexOf('.') + 1))) return null
  url.hash = ''
  return url
}

/** IANA special-purpose IPv4 blocks: first address and prefix length. */
const RESERVED_IPV4_BLOCKS: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

/** Whether an IP address is public; false for an invalid one. */
export function isPublicAddress(address: string): boolean {
  if (!address.includes(':')) {
    const number = parseIpv4(address)
    return (
      number !== null &&
      !RESERVED_IPV4_BLOCKS.some(([block, length]) => isInSameBlock(number, parseIpv4(block) ?? 0, length))
    )
  }
  const [first = 0, second = 0] = parseIpv6(address) ?? []
  // Only 2000::/3 is allocated. Excluded: tunnels that embed an IPv4 address (Teredo, 6to4), documentation addresses.
  if (first >> 13 !== 1 || first === 0x2002) return false
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false
  return !(first === 0x3fff && second < 0x1000)
}

const isInSameBlock = (a: number, b: number, length: number) => a >>> (32 - length) === b >>> (32 - length)

function parseIpv4(address: string): number | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number)
  if (!parts?.every((part) => part < 256)) return null
  return parts.reduce((sum, part) => sum * 256 + part, 0)
}

/** The eight groups; the URL parser normalizes every notation. */
function parseIpv6(address: string): number[] | null {
  const urlText = `https://[${address}]/`
  if (!URL.canParse(urlText)) return null
  const [head = '', tail] = new URL(urlText).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined) => (text ? text.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const before = groups(head)
  const after = groups(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

type Lookup = (name: string) => Promise<readonly string[]>

/** Error codes for a hostname without addresses of the looked-up family. */
const NOT_FOUND_CODES = new Set<unknown>(['ENODATA', 'ENOTFOUND'])

/**
 * Combines the lookups of both address families; results that are not addresses (aliases) are left out.
 * @throws the error of a lookup that failed: it might have found a private address. A missing name has no addresses.
 */
export const combineLookups =
  (lookups: readonly Lookup[]): Lookup =>
  async (name) => {
    const addresses = await Promise.all(
      lookups.map((lookup) =>
        lookup(name).catch((error: unknown) => {
          if (NOT_FOUND_CODES.has((error as { code?: unknown } | null)?.code)) return []
          throw error
        }),
      ),
    )
    return addresses.flat().filter((address) => isIP(address) !== 0)
  }
