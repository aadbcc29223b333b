import { type Millis, SECOND } from '../lib/clock'
import { type Claim, isOver, keyOf } from './sessions'

/** KV itself serves what it gave before for a minute. */
const REMEMBERED: Millis = 30 * SECOND
const PEOPLE = 5000

export type Remembered = ReturnType<typeof newRemembered>

/**
 * What KV said of supporters' tokens lately, by their hashes, in the memory of one isolate: who votes, likes and votes
 * again is looked up once. It authorises as little as KV does: whoever writes or reads by it joins CALLER to that very
 * statement, where D1 sees a log-out, a ban or a changed password at once. The limiters alone use it by itself, to know
 * whom to count (http/rate-limit). What is asked of a session elsewhere is asked of KV.
 */
export function newRemembered() {
  const claims = new Map<string, { claim: Claim; at: Millis }>()
  return {
    async find(token: string | undefined, now: Millis): Promise<Claim | null> {
      if (token === undefined || claims.size === 0) return null
      const found = claims.get(await keyOf('supporter', token))
      return found && Math.abs(now - found.at) < REMEMBERED && !isOver(found.claim, now) ? found.claim : null
    },
    keep(claim: Claim, now: Millis): void {
      claims.delete(claim.key)
      const [oldest] = claims.size >= PEOPLE ? claims.keys() : []
      if (oldest !== undefined) claims.delete(oldest)
      claims.set(claim.key, { claim, at: now })
    },
  }
}
