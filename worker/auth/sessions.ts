import * as z from 'zod/mini'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, type Millis, SECOND_MS } from '../lib/clock'
import { randomSecret, sha256 } from '../lib/crypto'
import type { Caller } from './current-user'

/** Two kinds of session that never stand in for each other: their cookies and their places in KV differ. */
export type SessionKind = 'supporter' | 'administrator'

/** How long a session lasts. An administrator's is never renewed (ruling 7); a supporter's idles for 30 days at most. */
export const SESSION_TTL_MS: Record<SessionKind, { absolute: Millis; idle: Millis }> = {
  supporter: { absolute: 90 * DAY_MS, idle: 30 * DAY_MS },
  administrator: { absolute: 24 * HOUR_MS, idle: 24 * HOUR_MS },
}

const StoredSession = z.object({
  sid: z.string(),
  userId: z.int(),
  epoch: z.int(),
  createdAt: z.int(),
  /** When the person last proved who they are. */
  provenAt: z.int(),
  renewedAt: z.int(),
})

/** What KV says of a token. It authorises nothing until D1 agrees: see CALLER. */
export type SessionPayload = z.infer<typeof StoredSession> & { kind: SessionKind; key: string }

/** A fresh session: its token goes into the cookie and is stored nowhere; KV knows its SHA-256 alone. */
export async function createSession(
  kv: KVNamespace,
  kind: SessionKind,
  user: { userId: number; epoch: number },
  now: Millis,
): Promise<{ token: string; session: SessionPayload }> {
  const token = randomSecret()
  const session: SessionPayload = {
    sid: randomSecret(),
    ...user,
    createdAt: now,
    provenAt: now,
    renewedAt: now,
    kind,
    key: await sessionKey(kind, token),
  }
  await putSession(kv, session, now)
  return { token, session }
}

const TOKEN = /^[\w-]{43}$/

/**
 * Looks a token up in KV; null when it is malformed, unknown or past its time.
 * @throws AppError `unavailable` when KV does not answer: nobody is let in on a guess.
 */
export async function readSession(
  kv: KVNamespace,
  kind: SessionKind,
  token: string | undefined,
  now: Millis,
): Promise<SessionPayload | null> {
  if (token === undefined || !TOKEN.test(token)) return null
  const key = await sessionKey(kind, token)
  const text = await withKvTimeout(kv.get(key)).catch((cause) => {
    throw new AppError('unavailable', 'We could not check your session. Please try again in a moment.', { cause })
  })
  const stored = text === null ? null : parseSession(text)
  if (!stored) return null
  const session = { ...stored, kind, key }
  return isExpired(session, now) ? null : session
}

/** True once a session is past its time, whatever was done with it. */
export function isExpired({ kind, createdAt, renewedAt }: SessionPayload, now: Millis): boolean {
  const { absolute, idle } = SESSION_TTL_MS[kind]
  return now >= createdAt + absolute || now >= renewedAt + idle
}

/** Keeps a supporter's session from idling out: one KV write a day at most (KV takes one a second a key). */
export async function renewSession(kv: KVNamespace, session: SessionPayload, now: Millis): Promise<void> {
  await putSession(kv, { ...session, renewedAt: now }, now)
}

export const needsRenewal = (session: SessionPayload, now: Millis): boolean =>
  session.kind === 'supporter' && now >= session.renewedAt + DAY_MS

/**
 * Ends one session at once: the row in D1 is what counts, the deletion in KV tidies up and may take a minute to be
 * seen everywhere.
 */
export async function revokeSession(db: D1Database, kv: KVNamespace, session: SessionPayload): Promise<void> {
  await revokeSessionStatement(db, session).run()
  await kv.delete(session.key).catch(() => undefined)
}

/** The statement that ends a session, for a batch that does more. */
export function revokeSessionStatement(db: D1Database, { sid, createdAt, kind }: SessionPayload): D1PreparedStatement {
  return db
    .prepare('INSERT INTO revoked_sessions (sid, expires_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING')
    .bind(sid, createdAt + SESSION_TTL_MS[kind].absolute)
}

/**
 * SQL: `person`, a row of users, is who the claim speaks of and its session stands. The one place that says when it does:
 * not after a log-out, a ban, a changed password or an erasure.
 */
export const activeSessionSql = (userAlias: string, session: { userId: string; epoch: string; sid: string }) => `
  ${userAlias}.id = ${session.userId} AND ${userAlias}.session_epoch = ${session.epoch}
  AND ${userAlias}.banned_at IS NULL AND ${userAlias}.erased_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM revoked_sessions WHERE sid = ${session.sid})`

/**
 * A CTE `caller`: the person's row while the session stands, no row otherwise. Binds ?1 user, ?2 epoch, ?3 sid
 * (`callerBinds`); a statement's own parameters start at ?4. A hot write joins it, and so needs no second trip:
 * `WITH ${CALLER} INSERT INTO track_likes (...) SELECT ..., caller.id FROM tracks JOIN caller WHERE ...`.
 */
export const CALLER_CTE = `caller AS (
  SELECT id, tier, role, points FROM users
  WHERE ${activeSessionSql('users', { userId: '?1', epoch: '?2', sid: '?3' })}
)`
/** The three values that CALLER binds; a visitor's match no row. */
export const callerBinds = (session: Pick<SessionPayload, 'userId' | 'epoch' | 'sid'> | null) =>
  session ? ([session.userId, session.epoch, session.sid] as const) : ([0, 0, ''] as const)

/** Where a token's session is stored: under its hash, never under itself. */
export const sessionKey = async (kind: SessionKind, token: string) => `${kind[0]}:${await sha256(token)}`

async function putSession(kv: KVNamespace, { kind, key, ...stored }: SessionPayload, now: Millis): Promise<void> {
  const { absolute, idle } = SESSION_TTL_MS[kind]
  const until = Math.min(stored.createdAt + absolute, now + idle)
  // KV refuses less than a minute; the clock above decides, KV only tidies up.
  const expirationTtl = Math.max(60, Math.ceil((until - now) / 1000))
  await withKvTimeout(kv.put(key, JSON.stringify(stored), { expirationTtl })).catch((cause) => {
    throw new AppError('unavailable', 'We could not open your session. Please try again in a moment.', { cause })
  })
}

function parseSession(text: string): z.infer<typeof StoredSession> | null {
  try {
    return StoredSession.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** KV answers in milliseconds or is down: a request does not hang on it. */
const KV_TIMEOUT_MS: Millis = 1500

async function withKvTimeout<T>(operation: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('KV did not answer in time')), KV_TIMEOUT_MS)
  })
  return Promise.race([operation, timeout]).finally(() => clearTimeout(timer))
}

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

/** Columns that say whether the session that CALLER checks still stands, and whether a ban is why it does not. */
export const SESSION_STATUS_COLUMNS = `EXISTS (SELECT 1 FROM caller) AS stands,
  EXISTS (SELECT 1 FROM users WHERE id = ?1 AND banned_at IS NOT NULL) AS banned`

export type SessionStatusRow = { stands: number; banned: number }

/**
 * The statement that confirms the session and reads `columns` beside it, always one row: the last of a hot write's
 * batch, which says what the write came to, and why when it did nothing. Binds ?1 to ?3 as CALLER does.
 */
export const withSessionStatus = (columns: string) => `WITH ${CALLER_CTE} SELECT ${SESSION_STATUS_COLUMNS}, ${columns}`

/**
 * The row of an explaining statement, once it says that the session stands.
 * @throws AppError `forbidden` for a suspended account, `signed_out` for a session that is over.
 */
export function requireActiveSession<R extends SessionStatusRow>(row: R | undefined, signIn: string | null): R {
  if (!row) throw new Error('The explaining statement returned no row.')
  if (row.banned) throw new AppError('forbidden', 'This account has been suspended.')
  if (!row.stands) throw signedOutError(signIn)
  return row
}

/** The refusal of somebody who is not logged in, in the endpoint's own words where it has some. */
export const signedOutError = (signIn: string | null) => new AppError('signed_out', signIn ?? 'Please log in first.')
/**
 * Ends every session of the account at once, setting a new password in the same statement if there is one. Returns the
 * new epoch. Of two such requests at once the first ends the session that the second came with.
 */

export async function revokeAllSessions(
  db: D1Database,
  { userId, session }: Caller,
  now: Millis,
  passwordHash: string | null = null,
  statements: D1PreparedStatement[] = [],
): Promise<number> {
  const [row] = await db.batch<{ epoch: number }>([
    db
      .prepare(
        `UPDATE users SET session_epoch = session_epoch + 1, last_active_at = ?3, password_hash = coalesce(?4, password_hash)
         WHERE id = ?1 AND session_epoch = ?2 RETURNING session_epoch AS epoch`,
      )
      .bind(userId, session.epoch, now, passwordHash),
    ...statements,
  ])
  const epoch = row?.results[0]?.epoch
  if (epoch === undefined) throw new AppError('signed_out', 'Please log in first.')
  return epoch
}
