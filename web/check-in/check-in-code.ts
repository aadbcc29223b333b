import { useEffect, useState } from 'react'
import type { CheckInCode } from '../../worker/contract/check-in'
import { useNow } from '../lib/useNow'

/**
 * The six digits of a time step: HOTP with SHA-1 (RFC 4226, section 5.3), as the worker computes them. `secret` is
 * base64url. @throws TypeError without `crypto.subtle`, which needs https or localhost.
 */
export async function checkInCodeAt(secret: string, step: number): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer))
  const offset = mac.getUint8(19) & 15
  return String((mac.getUint32(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/**
 * The current check-in code, computed from its secret and the server's clock, also while offline. `fetchedAt` is in
 * epoch milliseconds of this device's clock; `fractionLeft` falls from 1 to 0 in each time step.
 */
export function useCheckInCode(door: CheckInCode, fetchedAt: number): { code: string; fractionLeft: number } {
  const clockOffsetMs = Date.parse(door.now) - fetchedAt
  const exactStep = (useNow(250) + clockOffsetMs) / 1000 / door.stepSeconds
  const step = Math.floor(exactStep)
  const [code, setCode] = useState(door.code)
  useEffect(() => {
    let isOutdated = false
    checkInCodeAt(door.secret, step).then(
      (computed) => !isOutdated && setCode(computed),
      // Without https there is no WebCrypto: show the server's code until the next fetch.
      () => !isOutdated && setCode(door.code),
    )
    return () => {
      isOutdated = true
    }
  }, [door.secret, door.code, step])
  return { code, fractionLeft: 1 - (exactStep - step) }
}
