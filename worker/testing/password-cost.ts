import { onTestFinished } from 'vitest'
import { PASSWORD_COST, setPasswordCost } from '../auth/password'

/** Makes hashing cheap, but not as cheap as CHEAP_HASH, so that a login replaces that hash. */
export const lowerPasswordCost = () => setPasswordCost({ ...PASSWORD_COST, logN: 2 })

/** Uses the production cost with the given changes until the test ends. */
export function restorePasswordCost(changes: Partial<typeof PASSWORD_COST> = {}): void {
  setPasswordCost({ ...PASSWORD_COST, ...changes })
  onTestFinished(lowerPasswordCost)
}
