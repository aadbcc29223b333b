import { useEffect, useState } from 'react'
import type { CheckInCode } from '../../worker/contract/concerts'
import { useNow } from '../lib/useNow'
import { checkInCodeAt } from './check-in-code'

/**
 * The code that the door shows now, made from its secret and the server's clock as it was at `fetchedAt`: it turns
 * whether or not there is a network. `left` is the share of its time that is left, 1 to 0.
 */
export function useCheckInCode(door: CheckInCode, fetchedAt: number): { code: string; left: number } {
  const ahead = Date.parse(door.now) - fetchedAt
  const steps = (useNow(250) + ahead) / 1000 / door.stepSeconds
  const step = Math.floor(steps)
  const [current, setCurrent] = useState({ secret: '', step: 0, code: door.code })
  useEffect(() => {
    let isOld = false
    checkInCodeAt(door.secret, step).then(
      (code) => !isOld && setCurrent({ secret: door.secret, step, code }),
      // Without https there is no key to make codes with: the server's last one stands until it is asked again.
      () => !isOld && setCurrent({ secret: door.secret, step, code: door.code }),
    )
    return () => {
      isOld = true
    }
  }, [door.secret, door.code, step])
  return { code: current.code, left: 1 - (steps - step) }
}
