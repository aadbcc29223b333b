import type { Db } from '../db/client'
import { readDataVersion } from '../db/data-version'
import type { Config } from '../env'
import { type Millis, SECOND_MS } from '../lib/clock'
import { sha256 } from '../lib/crypto'
import { createSingleFlight, type WaitUntil } from './single-flight'

/** What a load may depend on. No request: its cookies, headers and query cannot leak into a shared response. */
export type LoadContext = { db: Db; config: Config; origin: string; at: Millis }

export type LoadedResponse = {
  body: string
  headers: Record<string, string>
  /** The body contains counters, which do not change the data version. The body is then reloaded every few seconds. */
  hasCounters: boolean
}
export type LoadResponse = (context: LoadContext) => Promise<LoadedResponse>
export type CachedResponse = LoadedResponse & { etag: string }

/** A response is served at most this long after the last check of the data version. */
export const MAX_UNCHECKED_MS: Millis = 5 * SECOND_MS
/** From this age one request revalidates while others still get the cached response. */
const REVALIDATE_AFTER_MS: Millis = 4 * SECOND_MS

/** A request waits this long for the load of another, which may have been canceled, then starts its own. */
const SHARED_LOAD_TIMEOUT_MS: Millis = 3 * SECOND_MS
/** A full cache is emptied. Bounds the memory in the demo, where keys contain any host that a request names. */
const MAX_ENTRIES = 500

/** The data version at `checkedAt`. Public content changes on schedule at `expiresAt`, whatever the version. */
type VersionCheck = { version: number; expiresAt: Millis; checkedAt: Millis }
type CacheEntry = CachedResponse & { version: number; createdAt: Millis; expiresAt: Millis }

export type ResponseCache = ReturnType<typeof createResponseCache>

/**
 * Public responses cached in the isolate's memory and revalidated against the data version in D1. They expire at the
 * next scheduled change of public content.
 */
export function createResponseCache(timeoutMs: Millis = SHARED_LOAD_TIMEOUT_MS, maxEntries = MAX_ENTRIES) {
  const entries = new Map<string, CacheEntry>()
  const loads = createSingleFlight<CacheEntry>(timeoutMs)
  let lastCheck: VersionCheck | null = null
  let invalidationCount = 0

  /** Time since a check confirmed the entry, or since its load if it has counters; `Infinity` if it is outdated. */
  const ageOf = (entry: CacheEntry, now: Millis, check: VersionCheck | null): Millis => {
    if (!check || check.version !== entry.version || now >= entry.expiresAt) return Number.POSITIVE_INFINITY
    return Math.abs(now - (entry.hasCounters ? Math.min(entry.createdAt, check.checkedAt) : check.checkedAt))
  }
  const checkVersion = async ({ db, at }: LoadContext): Promise<VersionCheck> => {
    const invalidationsBefore = invalidationCount
    const { version, expiresAt } = await readDataVersion(db, at)
    const check = { version, expiresAt: expiresAt ?? Number.POSITIVE_INFINITY, checkedAt: at }
    // A check that began before an invalidation may be outdated.
    if (invalidationsBefore === invalidationCount) lastCheck = check
    return check
  }
  /** Checks the data version. Returns the entry if it is fresh, else null, and the check. */
  const revalidate = async (key: string, context: LoadContext): Promise<[CacheEntry | null, VersionCheck]> => {
    const invalidationsBefore = invalidationCount
    const check = await checkVersion(context)
    const entry = entries.get(key)
    const isFresh =
      entry !== undefined &&
      invalidationsBefore === invalidationCount &&
      ageOf(entry, context.at, check) < REVALIDATE_AFTER_MS
    return [isFresh ? entry : null, check]
  }
  /** `check` must precede the load, so that a change during the load counts as a later version. */
  const loadEntry = async (
    key: string,
    check: VersionCheck,
    context: LoadContext,
    load: LoadResponse,
  ): Promise<CacheEntry> => {
    const loaded = await load(context)
    const etag = `"${(await sha256(loaded.body)).slice(0, 27)}"`
    const entry: CacheEntry = {
      ...loaded,
      etag,
      version: check.version,
      createdAt: context.at,
      expiresAt: check.expiresAt,
    }
    if (entries.size >= maxEntries && !entries.has(key)) entries.clear()
    entries.set(key, entry)
    return entry
  }

  return {
    /**
     * Returns a cached response, or loads it; concurrent callers share one load. For a caller with a bookmark
     * (`hasWritten`) the version is checked in the caller's database session; counters may still be 4 seconds old.
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
        const isFresh = (loaded: CacheEntry) => ageOf(loaded, context.at, check) < REVALIDATE_AFTER_MS
        const loadShared = () => loadEntry(key, check, context, load)
        return entry ?? loads.do(`${key} ${check.version}`, { isFresh, load: loadShared, waitUntil })
      }
      const entry = entries.get(key)
      if (entry) {
        const age = ageOf(entry, context.at, lastCheck)
        const isRevalidating = loads.has(key)
        if (age < (isRevalidating ? MAX_UNCHECKED_MS : REVALIDATE_AFTER_MS)) return entry
      }
      const isFresh = (loaded: CacheEntry) => ageOf(loaded, context.at, lastCheck) < MAX_UNCHECKED_MS
      const loadShared = async () => {
        const [current, check] = await revalidate(key, context)
        return current ?? loadEntry(key, check, context, load)
      }
      return loads.do(key, { isFresh, load: loadShared, waitUntil })
    },
    /** Loads a response although one may be cached, so that callers see their own writes, and caches it for all. */
    async reload(key: string, context: LoadContext, load: LoadResponse): Promise<CachedResponse> {
      return loadEntry(key, await checkVersion(context), context, load)
    },
    /** Call after a write in this isolate: the next read revalidates. */
    invalidate() {
      invalidationCount += 1
      lastCheck = null
      loads.clear()
    },
  }
}
