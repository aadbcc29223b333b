import type { Config } from '../config'
import type { Db } from '../db/client'
import { dataVersion } from '../db/data-version'
import { type Millis, SECOND } from '../lib/clock'
import { sha256 } from '../lib/secret'
import { type Linger, newTogether } from './together'

/**
 * All that the maker of a kept answer is told. There is no request in it: no cookie, header or query can find its way
 * into what everybody gets.
 */
export type Source = { db: Db; config: Config; origin: string; at: Millis }

export type Made = {
  body: string
  headers: Record<string, string>
  /** True when it shows counters, which do not move the data version: it is made anew every few seconds. */
  counts: boolean
}
export type Maker = (source: Source) => Promise<Made>
export type KeptAnswer = Made & { etag: string }

/** An answer is given for so long after the last look at the data version, and never longer. */
export const KEPT_AT_MOST: Millis = 5 * SECOND
/** A little before, one request looks while the others are still answered: a rush makes nothing twice. */
const LOOK_AFTER: Millis = 4 * SECOND

/** So long does a read wait for others who make it, in all, and then makes its own: their senders may have hung up. */
const WAITED_AT_MOST: Millis = 3 * SECOND
/** More than a site has pages and reads; in the demo whoever asks names the host, and with it the answer. */
const KEPT_ANSWERS = 500

type Look = { version: number; turnsAt: Millis; at: Millis }
type Entry = KeptAnswer & { version: number; madeAt: Millis; turnsAt: Millis }

export type Kept = ReturnType<typeof newKept>

/**
 * Keeps public answers in the memory of one isolate: while the data version in D1 stands still, at the most five seconds
 * past its change, and never past the next show's start or end or a poll's end.
 */
export function newKept(patience: Millis = WAITED_AT_MOST, room = KEPT_ANSWERS) {
  const entries = new Map<string, Entry>()
  /** What is being looked at or made just now, each by one request for all that ask for it meanwhile. */
  const together = newTogether<Entry>(patience)
  let look: Look | null = null
  /** A look that began before somebody changed something is not the last word. */
  let changes = 0

  /** How long ago, by that look, it was known to be true; infinite when it is known not to be. */
  const ageOf = (entry: Entry, now: Millis, seen: Look | null): Millis => {
    if (!seen || seen.version !== entry.version || now >= entry.turnsAt) return Number.POSITIVE_INFINITY
    return Math.abs(now - (entry.counts ? Math.min(entry.madeAt, seen.at) : seen.at))
  }
  const lookAgain = async ({ db, at }: Source): Promise<Look> => {
    const before = changes
    const { version, turnsAt } = await dataVersion(db, at)
    const seen = { version, turnsAt: turnsAt ?? Number.POSITIVE_INFINITY, at }
    if (before === changes) look = seen
    return seen
  }
  /** A look of this request's own, and the entry that stands by it. */
  const lookFor = async (key: string, source: Source): Promise<[Entry | null, Look]> => {
    const before = changes
    const seen = await lookAgain(source)
    const entry = entries.get(key)
    return [entry && before === changes && ageOf(entry, source.at, seen) < LOOK_AFTER ? entry : null, seen]
  }
  /** `seen` is from before the data is read: what changes meanwhile belongs to the next version. */
  const makeAnew = async (key: string, seen: Look, source: Source, make: Maker): Promise<Entry> => {
    const made = await make(source)
    const etag = `"${(await sha256(made.body)).slice(0, 27)}"`
    const fresh: Entry = { ...made, etag, version: seen.version, madeAt: source.at, turnsAt: seen.turnsAt }
    if (entries.size >= room && !entries.has(key)) entries.clear()
    entries.set(key, fresh)
    return fresh
  }

  return {
    /**
     * The answer named `key`, which `make` makes where there is none that may still be given. `linger` is told of work
     * that others wait for too: it goes on when whoever asked has hung up. Who `hasWritten` is given nothing that their
     * own session of the database does not know for the latest (others may have seen a copy that lags), but for counters.
     */
    async read(key: string, source: Source, make: Maker, linger: Linger, hasWritten = false): Promise<KeptAnswer> {
      if (hasWritten) {
        const [entry, seen] = await lookFor(key, source)
        const mayHave = (theirs: Entry) => ageOf(theirs, source.at, seen) < LOOK_AFTER
        const work = () => makeAnew(key, seen, source, make)
        return entry ?? together.do(`${key} ${seen.version}`, { mayHave, work, linger })
      }
      const entry = entries.get(key)
      const age = entry ? ageOf(entry, source.at, look) : Number.POSITIVE_INFINITY
      if (entry && (age < LOOK_AFTER || (age < KEPT_AT_MOST && together.has(key)))) return entry
      const mayHave = (theirs: Entry) => ageOf(theirs, source.at, look) < KEPT_AT_MOST
      const work = async () => {
        const [standing, seen] = await lookFor(key, source)
        return standing ?? makeAnew(key, seen, source, make)
      }
      return together.do(key, { mayHave, work, linger })
    },
    /** For who has just changed something here: the next reader looks at the data version. */
    forget() {
      changes += 1
      look = null
      together.forget()
    },
  }
}
