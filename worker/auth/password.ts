import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

// Imports nothing of the project: the demo seed and `npm run admin:create` run this file in Node.

/** scrypt cost N = 2^14, r = 8, p = 5 (OWASP minimum for this N): about 100 ms and 16 MB per hash. */
const COST = { logN: 14, r: 8, p: 5 } as const
const SALT_BYTES = 16
const KEY_BYTES = 32
const FORMAT = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,})\$([\w-]{22,})$/

/** Hashes a password as `scrypt$14$8$5$<salt>$<hash>` (base64url). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password, salt, KEY_BYTES, COST)
  return `scrypt$${COST.logN}$${COST.r}$${COST.p}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** Matches no password: an unknown name takes as long as a wrong password. */
const DUMMY_HASH = `scrypt$${COST.logN}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Compares a password with a stored hash; `null` takes as long and never matches. `outdated` means the hash has another
 * cost and should be replaced.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
): Promise<{ matches: boolean; outdated: boolean }> {
  const parts = FORMAT.exec(stored ?? DUMMY_HASH)
  if (!parts) throw new Error('A stored password hash is not of a known format.')
  const [, logN, r, p, salt, hash] = parts as unknown as [string, string, string, string, string, string]
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) }
  const expected = Buffer.from(hash, 'base64url')
  const key = await derive(password, Buffer.from(salt, 'base64url'), expected.length, cost)
  const matches = timingSafeEqual(key, expected) && stored !== null
  return { matches, outdated: cost.logN !== COST.logN || cost.r !== COST.r || cost.p !== COST.p }
}

function derive(
  password: string,
  salt: Uint8Array,
  bytes: number,
  { logN, r, p }: { logN: number; r: number; p: number },
): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, bytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
