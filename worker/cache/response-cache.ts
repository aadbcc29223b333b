import type { Db } from '../db/client'
import { readDataVersion } from '../db/data-version'
import type { Config } from '../env'
import { type Millis, SECOND_MS } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { createSingleFlight, type WaitUntil } from './single-flight'

/**
 * All that the maker of a kept answer is told. There is no request in it: no cookie, header or query can find its way
 * into what everybody gets.
 */
export type LoadContext = { db: Db; config: Config; origin: string; at: Millis }

export type LoadedResponse = {
  body: string
  headers: Record<string, string>
  /** True when it shows counters, which do not move the data version: it is made anew every few seconds. */
  hasCounters: boolean
}
export type LoadResponse = (source: LoadContext) => Promise<LoadedResponse>
export type CachedResponse = LoadedResponse & { etag: string }

/** An answer is given for so long after the last look at the data version, and never longer. */
export const MAX_STALE_MS: Millis = 5 * SECOND_MS
/** A little before, one request looks while the others are still answered: a rush makes nothing twice. */
const REVALIDATE_AFTER_MS: Millis = 4 * SECOND_MS

/** So long does a read wait for others who make it, in all, and then makes its own: their senders may have hung up. */
const SHARED_LOAD_TIMEOUT_MS: Millis = 3 * SECOND_MS
/** More than a site has pages and reads; in the demo whoever asks names the host, and with it the answer. */
const MAX_ENTRIES = 500

type VersionCheck = { version: number; expiresAt: Millis; checkedAt: Millis }
type Entry = CachedResponse & { version: number; createdAt: Millis; expiresAt: Millis }

export type ResponseCache = ReturnType<typeof createResponseCache>

/**
 * Keeps public answers in the memory of one isolate: while the data version in D1 stands still, at the most five seconds
 * past its change, and never past the next show's start or end or a poll's end.
 */
export function createResponseCache(timeoutMs: Millis = SHARED_LOAD_TIMEOUT_MS, maxEntries = MAX_ENTRIES) {
  const entries = new Map<string, Entry>()
  /** What is being looked at or made just now, each by one request for all that ask for it meanwhile. */
  const loads = createSingleFlight<Entry>(timeoutMs)
  let lastCheck: VersionCheck | null = null
  /** A look that began before somebody changed something is not the last word. */
  let invalidations = 0

  /** How long ago, by that look, it was known to be true; infinite when it is known not to be. */
  const ageOf = (entry: Entry, now: Millis, check: VersionCheck | null): Millis => {
    if (!check || check.version !== entry.version || now >= entry.expiresAt) return Number.POSITIVE_INFINITY
    return Math.abs(now - (entry.hasCounters ? Math.min(entry.createdAt, check.checkedAt) : check.checkedAt))
  }
  const checkVersion = async ({ db, at }: LoadContext): Promise<VersionCheck> => {
    const before = invalidations
    const { version, turnsAt } = await readDataVersion(db, at)
    const check = { version, expiresAt: turnsAt ?? Number.POSITIVE_INFINITY, checkedAt: at }
    if (before === invalidations) lastCheck = check
    return check
  }
  /** A look of this request's own, and the entry that stands by it. */
  const revalidate = async (key: string, context: LoadContext): Promise<[Entry | null, VersionCheck]> => {
    const before = invalidations
    const check = await checkVersion(context)
    const entry = entries.get(key)
    return [
      entry && before === invalidations && ageOf(entry, context.at, check) < REVALIDATE_AFTER_MS ? entry : null,
      check,
    ]
  }
  /** `seen` is from before the data is read: what changes meanwhile belongs to the next version. */
  const loadEntry = async (
    key: string,
    check: VersionCheck,
    context: LoadContext,
    load: LoadResponse,
  ): Promise<Entry> => {
    const loaded = await load(context)
    const etag = `"${(await sha256(loaded.body)).slice(0, 27)}"`
    const entry: Entry = { ...loaded, etag, version: check.version, createdAt: context.at, expiresAt: check.expiresAt }
    if (entries.size >= maxEntries && !entries.has(key)) entries.clear()
    entries.set(key, entry)
    return entry
  }

  return {
    /**
     * The answer named `key`, which `make` makes where there is none that may still be given. `linger` is told of work
     * that others wait for too: it goes on when whoever asked has hung up. Who `hasWritten` is given nothing that their
     * own session of the database does not know for the latest (others may have seen a copy that lags), but for counters.
     */
    async get(
      key: string,
      context: LoadContext,
      load: LoadResponse,
      waitUntil: WaitUntil,
      hasWritten = false,
    ): Promise<CachedResponse> {
      if (hasWritten) {
        const [entry, check] = await revalidate(key, context)
        const isFresh = (shared: Entry) => ageOf(shared, context.at, check) < REVALIDATE_AFTER_MS
        const loadShared = () => loadEntry(key, check, context, load)
        return entry ?? loads.do(`${key} ${check.version}`, { isFresh, load: loadShared, waitUntil })
      }
      const entry = entries.get(key)
      const age = entry ? ageOf(entry, context.at, lastCheck) : Number.POSITIVE_INFINITY
      if (entry && (age < REVALIDATE_AFTER_MS || (age < MAX_STALE_MS && loads.has(key)))) return entry
      const isFresh = (shared: Entry) => ageOf(shared, context.at, lastCheck) < MAX_STALE_MS
      const loadShared = async () => {
        const [current, check] = await revalidate(key, context)
        return current ?? loadEntry(key, check, context, load)
      }
      return loads.do(key, { isFresh, load: loadShared, waitUntil })
    },
    /** For who has just changed something here: the next reader looks at the data version. */
    invalidate() {
      invalidations += 1
      lastCheck = null
      loads.clear()
    },
  }
}
