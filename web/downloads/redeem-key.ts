const STORAGE_KEY = 'redeem-key'
const KEY_LENGTH = 32
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'

let key: string | null = null

/** A random key of this browser, with which it can use a code again that it has redeemed. */
export function redeemKey(): string {
  key ??= readStored() ?? newKey()
  return key
}

function readStored(): string | null {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return stored !== null && /^[\w-]{22,64}$/.test(stored) ? stored : null
  } catch {
    return null
  }
}

function newKey(): string {
  const created = Array.from(crypto.getRandomValues(new Uint8Array(KEY_LENGTH)), (byte) => ALPHABET[byte % 64]).join('')
  try {
    localStorage.setItem(STORAGE_KEY, created)
  } catch {
    // Without storage, the key lasts until the page is left.
  }
  return created
}
