/**
 * The six digits of one step: HOTP with SHA-1 (RFC 4226, section 5.3), as the worker computes them (worker/lib/totp).
 * `secret` is base64url. @throws where the page has no `crypto.subtle`: anywhere but on https and localhost.
 */
export async function checkInCodeAt(secret: string, step: number): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer))
  const offset = mac.getUint8(19) & 15
  return String((mac.getUint32(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
