import type { Millis } from '../lib/clock'
import { withTimeout } from '../lib/timeout'

export type WaitUntil = (work: Promise<unknown>) => void
type FlightOptions<T> = {
  /** Whether this caller can use the result of another caller's load. */
  isFresh: (loaded: T) => boolean
  load: () => Promise<T>
  /** Continues the load if the request that started it is canceled. */
  waitUntil: WaitUntil
}

/** Shares one load between concurrent callers of a key. */
export function createSingleFlight<T>(timeoutMs: Millis) {
  const inFlight = new Map<string, Promise<T>>()
  return {
    has: (key: string): boolean => inFlight.has(key),
    /** Waits at most `timeoutMs` for a load in flight; without a fresh result, loads. */
    async do(key: string, { isFresh, load, waitUntil }: FlightOptions<T>): Promise<T> {
      let awaited: Promise<T> | undefined
      // Wait half the timeout twice: the first waiter to time out restarts the load, which the others can then share.
      for (let attempt = 0; attempt < 2; attempt++) {
        const pending = inFlight.get(key)
        if (!pending || pending === awaited) break
        const result = await withTimeout(timeoutMs / 2, pending)
        if (result && isFresh(result)) return result
        awaited = pending
      }
      const current = load().finally(() => {
        if (inFlight.get(key) === current) inFlight.delete(key)
      })
      inFlight.set(key, current)
      waitUntil(current.catch(() => undefined))
      return current
    },
    /** New callers do not join loads in flight. */
    clear: () => inFlight.clear(),
  }
}
