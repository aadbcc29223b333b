const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A code stands for so many seconds (RFC 6238). */
export const STEP_SECONDS = 30

/** Bytes in base32 without padding, as authenticator apps read them. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The six digits of one step: HOTP with SHA-1 (RFC 4226), which is what every authenticator app computes. */
export async function totpCode(secret: Uint8Array<ArrayBuffer>, step: number): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer))
  const offset = mac.getUint8(19) & 15
  return String((mac.getUint32(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The step that a code belongs to, now or one before or after (clocks differ); null when it is of none. */
export async function findTotpStep(secret: Uint8Array<ArrayBuffer>, code: string, now: number): Promise<number | null> {
  const current = Math.floor(now / 1000 / STEP_SECONDS)
  for (const step of [current, current - 1, current + 1]) if ((await totpCode(secret, step)) === code) return step
  return null
}
