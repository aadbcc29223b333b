import { base64url, fromBase64url } from './secret'

const encoder = new TextEncoder()

async function deriveKey(secret: string, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(purpose) }
  return crypto.subtle.deriveKey(algorithm, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

/**
 * The IV is an HMAC of the bytes (as in SIV, RFC 5297): never the same for two texts, and always the same for one. So a
 * letter with a link in it is the same letter at each try, which a provider's idempotency key asks for.
 */
async function deriveIv(
  secret: string,
  purpose: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const text = new Uint8Array([...encoder.encode(`iv ${purpose}\n`), ...bytes])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, text)).slice(0, 12)
}

/**
 * Encrypts bytes that must be read again (AES-256-GCM, a key for each purpose): `<iv>.<text>` in base64url. Equal bytes
 * make equal boxes; whatever must not show that it is equal does not belong into one.
 */
export async function encrypt(secret: string, purpose: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const iv = await deriveIv(secret, purpose, bytes)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await deriveKey(secret, purpose), bytes)
  return `${base64url(iv)}.${base64url(new Uint8Array(sealed))}`
}

/** The bytes of a box. @throws when it was not made with this secret for this purpose. */
export async function decrypt(secret: string, purpose: string, sealed: string): Promise<Uint8Array<ArrayBuffer>> {
  const [iv = '', text = ''] = sealed.split('.')
  const algorithm = { name: 'AES-GCM', iv: fromBase64url(iv) }
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, await deriveKey(secret, purpose), fromBase64url(text)))
}
