import type { Config } from '../config'
import type { Db } from '../db/client'
import { dataVersion } from '../db/data-version'
import { type Millis, SECOND } from '../lib/clock'
import { sha256 } from '../lib/secret'

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

type Look = { version: number; turnsAt: Millis; at: Millis }
type Entry = KeptAnswer & { version: number; madeAt: Millis; turnsAt: Millis; renewing: boolean }

export type Kept = ReturnType<typeof newKept>

/**
 * Keeps public answers in the memory of one isolate: while the data version in D1 stands still, at the most five seconds
 * past its change, and never past the next show's start or end or a poll's end.
 */
export function newKept() {
  const entries = new Map<string, Entry>()
  let look: Look | null = null

  /** How long ago it was known to be true; infinite when it is known not to be. */
  const ageOf = (entry: Entry, now: Millis): Millis => {
    if (!look || look.version !== entry.version || now >= entry.turnsAt) return Number.POSITIVE_INFINITY
    return Math.abs(now - (entry.counts ? Math.min(entry.madeAt, look.at) : look.at))
  }
  const lookAgain = async ({ db, at }: Source): Promise<Look> => {
    const { version, turnsAt } = await dataVersion(db, at)
    look = { version, turnsAt: turnsAt ?? Number.POSITIVE_INFINITY, at }
    return look
  }

  return {
    /** The answer named `key`, which `make` makes where there is none that may still be given. */
    async read(key: string, source: Source, make: Maker): Promise<KeptAnswer> {
      const now = source.at
      const entry = entries.get(key)
      const age = entry ? ageOf(entry, now) : Number.POSITIVE_INFINITY
      if (entry && (age < LOOK_AFTER || (age < KEPT_AT_MOST && entry.renewing))) return entry
      if (entry) entry.renewing = true
      try {
        // Before the data: what changes while that is read belongs to the next version.
        const seen = await lookAgain(source)
        if (entry && ageOf(entry, now) < LOOK_AFTER) return entry
        const made = await make(source)
        const etag = `"${(await sha256(made.body)).slice(0, 27)}"`
        const fresh: Entry = {
          ...made,
          etag,
          version: seen.version,
          madeAt: now,
          turnsAt: seen.turnsAt,
          renewing: false,
        }
        entries.set(key, fresh)
        return fresh
      } finally {
        if (entry) entry.renewing = false
      }
    },
    /** For who has just changed something here: the next reader looks at the data version. */
    forget() {
      look = null
    },
  }
}
