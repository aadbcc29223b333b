import type { Millis } from '../lib/clock'
import { withTimeout } from '../lib/timeout'

export type WaitUntil = (work: Promise<unknown>) => void
type FlightOptions<T> = {
  /** Whether what others come to may be given here, too. */
  isFresh: (shared: T) => boolean
  load: () => Promise<T>
  /** Told of work that others wait for: it goes on when whoever began it has hung up. */
  waitUntil: WaitUntil
}

/** Work that one request of an isolate does for all who want the same meanwhile, waited for no longer than `patience`. */
export function createSingleFlight<T>(timeoutMs: Millis) {
  const inFlight = new Map<string, Promise<T>>()
  return {
    has: (key: string): boolean => inFlight.has(key),
    /** What others do under `name` just now, else one's own. */
    async do(key: string, { isFresh, load, waitUntil }: FlightOptions<T>): Promise<T> {
      let timedOut: Promise<T> | undefined
      // Twice, for half the time each: the first to give up begins anew, and the rest of a crowd can have that.
      for (let attempt = 0; attempt < 2; attempt++) {
        const pending = inFlight.get(key)
        if (!pending || pending === timedOut) break
        const result = await withTimeout(timeoutMs / 2, pending)
        if (result && isFresh(result)) return result
        timedOut = pending
      }
      const current = load().finally(() => {
        if (inFlight.get(key) === current) inFlight.delete(key)
      })
      inFlight.set(key, current)
      waitUntil(current.catch(() => undefined))
      return current
    },
    /** What is under way is not given to who asks from now on. */
    clear: () => inFlight.clear(),
  }
}
