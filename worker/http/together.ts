import type { Millis } from '../lib/clock'
import { within } from '../lib/within'

export type Linger = (work: Promise<unknown>) => void
type Job<T> = {
  /** Whether what others come to may be given here, too. */
  mayHave: (theirs: T) => boolean
  work: () => Promise<T>
  /** Told of work that others wait for: it goes on when whoever began it has hung up. */
  linger: Linger
}

/** Work that one request of an isolate does for all who want the same meanwhile, waited for no longer than `patience`. */
export function newTogether<T>(patience: Millis) {
  const underWay = new Map<string, Promise<T>>()
  return {
    has: (name: string): boolean => underWay.has(name),
    /** What others do under `name` just now, else one's own. */
    async do(name: string, { mayHave, work, linger }: Job<T>): Promise<T> {
      let waitedInVain: Promise<T> | undefined
      // Twice, for half the time each: the first to give up begins anew, and the rest of a crowd can have that.
      for (let waits = 0; waits < 2; waits++) {
        const others = underWay.get(name)
        if (!others || others === waitedInVain) break
        const theirs = await within(patience / 2, others)
        if (theirs && mayHave(theirs)) return theirs
        waitedInVain = others
      }
      const own = work().finally(() => {
        if (underWay.get(name) === own) underWay.delete(name)
      })
      underWay.set(name, own)
      linger(own.catch(() => undefined))
      return own
    },
    /** What is under way is not given to who asks from now on. */
    forget: () => underWay.clear(),
  }
}
