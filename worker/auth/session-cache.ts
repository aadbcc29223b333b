import { type Millis, SECOND_MS } from '../lib/clock'
import { isExpired, type SessionPayload, sessionKey } from './sessions'

/** KV itself serves what it gave before for a minute. */
const CACHE_TTL_MS: Millis = 30 * SECOND_MS
const MAX_CACHED_SESSIONS = 5000

export type SessionCache = ReturnType<typeof createSessionCache>

/**
 * What KV said of supporters' tokens lately, by their hashes, in the memory of one isolate: who votes, likes and votes
 * again is looked up once. It authorises as little as KV does: whoever writes or reads by it joins CALLER to that very
 * statement, where D1 sees a log-out, a ban or a changed password at once. The limiters alone use it by itself, to know
 * whom to count (http/rate-limit). What is asked of a session elsewhere is asked of KV.
 */
export function createSessionCache() {
  const sessions = new Map<string, { session: SessionPayload; at: Millis }>()
  return {
    async get(token: string | undefined, now: Millis): Promise<SessionPayload | null> {
      if (token === undefined || sessions.size === 0) return null
      const entry = sessions.get(await sessionKey('supporter', token))
      return entry && Math.abs(now - entry.at) < CACHE_TTL_MS && !isExpired(entry.session, now) ? entry.session : null
    },
    set(session: SessionPayload, now: Millis): void {
      sessions.delete(session.key)
      const [oldest] = sessions.size >= MAX_CACHED_SESSIONS ? sessions.keys() : []
      if (oldest !== undefined) sessions.delete(oldest)
      sessions.set(session.key, { session, at: now })
    },
  }
}
