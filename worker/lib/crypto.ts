const encoder = new TextEncoder()
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** 256 random bits as 43 characters of base64url. */
export function randomSecret(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/** A random id: `prefix_` and 20 characters of base64url (120 bits). */
export function newId(prefix: string): string {
  return `${prefix}_${base64url(crypto.getRandomValues(new Uint8Array(15)))}`
}

/** SHA-256 as base64url. Not for passwords or other secrets that can be guessed. */
export async function sha256(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
}

/** HMAC-SHA-256 as base64url. `purpose` separates the uses of one secret. */
export async function sign(secret: string, purpose: string, value: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.sign('HMAC', await hmacKey(secret), signedText(purpose, value))))
}

/** `value.signature`, for cookies and links. */
export async function signValue(secret: string, purpose: string, value: string): Promise<string> {
  return `${value}.${await sign(secret, purpose, value)}`
}

/** The value of a text made by `signValue`; null unless it was signed with this secret for this purpose. */
export async function verifySignedValue(secret: string, purpose: string, signed: string): Promise<string | null> {
  const dot = signed.lastIndexOf('.')
  if (dot < 1) return null
  const value = signed.slice(0, dot)
  let signature: Uint8Array<ArrayBuffer>
  try {
    signature = fromBase64url(signed.slice(dot + 1))
  } catch {
    return null
  }
  const isValid = await crypto.subtle.verify('HMAC', await hmacKey(secret), signature, signedText(purpose, value))
  return isValid ? value : null
}

/**
 * AES-256-GCM with a key per purpose: `<iv>.<ciphertext>` in base64url. Deterministic: equal bytes give equal text, so
 * retries of an email have one idempotency key.
 */
export async function encrypt(secret: string, purpose: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const iv = await deriveIv(secret, purpose, bytes)
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await encryptionKey(secret, purpose), bytes)
  return `${base64url(iv)}.${base64url(new Uint8Array(encrypted))}`
}

/** The bytes of a text made by `encrypt`. @throws unless it was made with this secret for this purpose. */
export async function decrypt(secret: string, purpose: string, encrypted: string): Promise<Uint8Array<ArrayBuffer>> {
  const [iv = '', text = ''] = encrypted.split('.')
  const algorithm = { name: 'AES-GCM', iv: fromBase64url(iv) }
  const key = await encryptionKey(secret, purpose)
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, fromBase64url(text)))
}

/** Bytes as base64url without padding. */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}

/** @throws unless the text is base64url. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
}

const hmacKeys = new Map<string, Promise<CryptoKey>>()

function hmacKey(secret: string): Promise<CryptoKey> {
  const key =
    hmacKeys.get(secret) ?? crypto.subtle.importKey('raw', encoder.encode(secret), HMAC, false, ['sign', 'verify'])
  hmacKeys.set(secret, key)
  return key
}

const signedText = (purpose: string, value: string) => encoder.encode(`${purpose}\n${value}`)

/** The IV is an HMAC of the bytes (as in SIV, RFC 5297): different for different texts, the same for equal ones. */
async function deriveIv(secret: string, purpose: string, bytes: Uint8Array<ArrayBuffer>) {
  const text = new Uint8Array([...encoder.encode(`iv ${purpose}\n`), ...bytes])
  return new Uint8Array(await crypto.subtle.sign('HMAC', await hmacKey(secret), text)).slice(0, 12)
}

async function encryptionKey(secret: string, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(purpose) }
  return crypto.subtle.deriveKey(algorithm, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}
