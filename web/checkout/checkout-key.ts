import { deviceStorage } from '../lib/storage'

const STORAGE_PREFIX = 'checkout of '
/** Any unpaid order that used the key has expired by then. */
const CHECKOUT_KEY_TTL_MS = 24 * 60 * 60 * 1000

/** Parses `<key> <createdAt>`; null if it is malformed, expired or from the future. */
function parseValidKey(stored: string | null, now: number): string | null {
  const [, key, createdAt] = /^([\w-]{22,64}) (\d{1,15})$/.exec(stored ?? '') ?? []
  if (key === undefined) return null
  const ageMs = now - Number(createdAt)
  return ageMs >= 0 && ageMs < CHECKOUT_KEY_TTL_MS ? key : null
}

/**
 * The idempotency key of a product or the cart, stored for a day: a reload, a second tab or a retry continues the
 * open order instead of reserving stock again. Undefined without storage: the server then uses the key in its cookie.
 */
export function getOrCreateCheckoutKey(keyName: string, now = Date.now()): string | undefined {
  // Deletes expired keys.
  for (const name of deviceStorage.keys(STORAGE_PREFIX))
    if (parseValidKey(deviceStorage.read(name), now) === null) deviceStorage.write(name, null)
  const stored = parseValidKey(deviceStorage.read(STORAGE_PREFIX + keyName), now)
  if (stored !== null) return stored
  const key = [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return deviceStorage.write(STORAGE_PREFIX + keyName, `${key} ${now}`) ? key : undefined
}

/** Called after a payment, so that the next checkout starts a new order. */
export function clearCheckoutKeys(): void {
  for (const name of deviceStorage.keys(STORAGE_PREFIX)) deviceStorage.write(name, null)
}
