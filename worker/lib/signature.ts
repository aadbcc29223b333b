import { base64url, fromBase64url } from './secret'

const encoder = new TextEncoder()
const keys = new Map<string, Promise<CryptoKey>>()

function importHmacKey(secret: string): Promise<CryptoKey> {
  let key = keys.get(secret)
  if (!key) {
    key = crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ])
    keys.set(secret, key)
  }
  return key
}

/** HMAC-SHA-256 as base64url. `purpose` separates the uses of one secret, so that no value passes for another's. */
export async function sign(secret: string, purpose: string, value: string): Promise<string> {
  return base64url(
    new Uint8Array(
      await crypto.subtle.sign('HMAC', await importHmacKey(secret), encoder.encode(`${purpose}\n${value}`)),
    ),
  )
}

/** `value.signature`, for cookies and links. */
export async function signValue(secret: string, purpose: string, value: string): Promise<string> {
  return `${value}.${await sign(secret, purpose, value)}`
}

/** The value of a sealed text, or null when it was not sealed with this secret for this purpose. */
export async function verifySignedValue(secret: string, purpose: string, sealed: string): Promise<string | null> {
  const dot = sealed.lastIndexOf('.')
  if (dot < 1) return null
  const value = sealed.slice(0, dot)
  let given: Uint8Array<ArrayBuffer>
  try {
    given = fromBase64url(sealed.slice(dot + 1))
  } catch {
    return null
  }
  const ok = await crypto.subtle.verify(
    'HMAC',
    await importHmacKey(secret),
    given,
    encoder.encode(`${purpose}\n${value}`),
  )
  return ok ? value : null
}
