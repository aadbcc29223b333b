import { Secret, TOTP } from 'otpauth'

/** Time step of RFC 6238. */
const STEP_SECONDS = 30

const totpOf = (secret: Uint8Array<ArrayBuffer>) =>
  new TOTP({
    secret: new Secret({ buffer: secret.slice().buffer }),
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
  })

/** Base32 without padding, as authenticator apps read it. */
export const base32 = (bytes: Uint8Array<ArrayBuffer>): string => new Secret({ buffer: bytes.slice().buffer }).base32

/** The six digits of one step. */
export const totpCode = (secret: Uint8Array<ArrayBuffer>, step: number): string =>
  totpOf(secret).generate({ timestamp: step * STEP_SECONDS * 1000 })

/** The time step whose code matches: the current one or a neighbor, else null. @param now milliseconds. */
export function findTotpStep(secret: Uint8Array<ArrayBuffer>, code: string, now: number): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? null : Math.floor(now / 1000 / STEP_SECONDS) + delta
}
