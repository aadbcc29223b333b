import { useEffect, useState } from 'react'
import type { DoorCode } from '../../worker/contract/check-in'
import { useNow } from '../lib/useNow'
import { codeAt } from './door-code'

/**
 * The code that the door shows now, made from its secret and the server's clock as it was at `fetchedAt`: it turns
 * whether or not there is a network. `left` is the share of its time that is left, 1 to 0.
 */
export function useDoorCode(door: DoorCode, fetchedAt: number): { code: string; left: number } {
  const ahead = Date.parse(door.now) - fetchedAt
  const steps = (useNow(250) + ahead) / 1000 / door.stepSeconds
  const step = Math.floor(steps)
  const [made, setMade] = useState({ secret: '', step: 0, code: door.code })
  useEffect(() => {
    let isOld = false
    codeAt(door.secret, step).then(
      (code) => !isOld && setMade({ secret: door.secret, step, code }),
      // Without https there is no key to make codes with: the server's last one stands until it is asked again.
      () => !isOld && setMade({ secret: door.secret, step, code: door.code }),
    )
    return () => {
      isOld = true
    }
  }, [door.secret, door.code, step])
  return { code: made.code, left: 1 - (steps - step) }
}
