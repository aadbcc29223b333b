import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

// Imports nothing of the project: the demo seed and `npm run admin:create` run this file in Node.

type Cost = Readonly<{ logN: number; r: number; p: number }>
/** scrypt cost N = 2^14, r = 8, p = 5 (OWASP minimum for this N): about 100 ms and 16 MB per hash. */
export const PASSWORD_COST: Cost = { logN: 14, r: 8, p: 5 }
let currentCost = PASSWORD_COST
/** For tests, which would otherwise spend most of their time on hashing. */
export function setPasswordCost(cost: Cost): void {
  currentCost = cost
}

const SALT_BYTES = 16
const KEY_BYTES = 32
const HASH_FORMAT = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,})\$([\w-]{22,})$/

/** Hashes a password as `scrypt$14$8$5$<salt>$<hash>` (base64url). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await deriveKey(password, salt, KEY_BYTES, currentCost)
  return formatHash(salt.toString('base64url'), key.toString('base64url'))
}

const formatHash = (salt: string, key: string) =>
  `scrypt$${currentCost.logN}$${currentCost.r}$${currentCost.p}$${salt}$${key}`
/** Matches no password. Comparing with it makes an unknown name take as long as a wrong password. */
const dummyHash = () => formatHash('A'.repeat(22), 'A'.repeat(43))

/**
 * Compares a password with a stored hash. `null` never matches and takes as long as a hash. `isOutdated` is true for a
 * hash of another cost, which should be replaced.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
): Promise<{ matches: boolean; isOutdated: boolean }> {
  const parts = HASH_FORMAT.exec(stored ?? dummyHash())
  if (!parts) throw new Error('A stored password hash is not of a known format.')
  const [, logN, r, p, salt, hash] = parts as unknown as [string, string, string, string, string, string]
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) }
  const expected = Buffer.from(hash, 'base64url')
  const key = await deriveKey(password, Buffer.from(salt, 'base64url'), expected.length, cost)
  const matches = timingSafeEqual(key, expected) && stored !== null
  return { matches, isOutdated: cost.logN !== currentCost.logN || cost.r !== currentCost.r || cost.p !== currentCost.p }
}

function deriveKey(password: string, salt: Uint8Array, bytes: number, { logN, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
