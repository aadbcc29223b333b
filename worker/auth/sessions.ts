import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Db, prepare } from '../db/client'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, type Millis, SECOND_MS } from '../lib/clock'
import { decrypt, encrypt, randomSecret, sha256 } from '../lib/crypto'
import { users } from '../users/users.table'
import { revokedSessions } from './auth.table'
import type { Caller } from './current-user'

/** Each kind has its own cookie and KV keys: a token of one kind opens no session of the other. */
export type SessionKind = 'supporter' | 'administrator'

/** Time from login (`absolute`) and from the last renewal (`idle`) to expiry. Admin sessions are never renewed. */
export const SESSION_TTL_MS: Record<SessionKind, { absolute: Millis; idle: Millis }> = {
  supporter: { absolute: 90 * DAY_MS, idle: 30 * DAY_MS },
  administrator: { absolute: 24 * HOUR_MS, idle: 24 * HOUR_MS },
}

const StoredSession = z.object({
  sid: z.string(),
  userId: z.int(),
  epoch: z.int(),
  createdAt: z.int(),
  /** Time of the last authentication. */
  provenAt: z.int(),
  renewedAt: z.int(),
  /** The user's mailbox, encrypted with the token: KV alone never reveals the address, not even after an erasure. */
  encryptedMailbox: z.optional(z.string()),
})

/** A session as stored in KV. Not authoritative: D1 must confirm it (`CALLER_CTE`). */
export type SessionPayload = z.infer<typeof StoredSession> & {
  kind: SessionKind
  /** KV key, see `sessionKey`. */
  key: string
  /** The user's mailbox key; undefined in sessions that were created without it. */
  mailboxKey?: string | null
}

type SessionUser = {
  userId: number
  epoch: number
  mailboxKey?: string | null
  /** Time of the authentication if it is not now. */
  provenAt?: Millis
}

/** Creates a session. The token goes into the cookie; KV stores its SHA-256. @throws AppError `unavailable`. */
export async function createSession(
  kv: KVNamespace,
  kind: SessionKind,
  { mailboxKey, provenAt, ...user }: SessionUser,
  now: Millis,
): Promise<{ token: string; session: SessionPayload }> {
  const token = randomSecret()
  const session: SessionPayload = {
    sid: randomSecret(),
    ...user,
    ...(mailboxKey && { mailboxKey, encryptedMailbox: await encryptMailbox(token, mailboxKey) }),
    createdAt: now,
    provenAt: provenAt ?? now,
    renewedAt: now,
    kind,
    key: await sessionKey(kind, token),
  }
  await putSession(kv, session, now)
  return { token, session }
}

const TOKEN_FORMAT = /^[\w-]{43}$/

/**
 * Reads a session from KV; null if the token is malformed, unknown or expired.
 * @throws AppError `unavailable` when KV does not respond.
 */
export async function readSession(
  kv: KVNamespace,
  kind: SessionKind,
  token: string | undefined,
  now: Millis,
): Promise<SessionPayload | null> {
  if (token === undefined || !TOKEN_FORMAT.test(token)) return null
  const key = await sessionKey(kind, token)
  const text = await withKvTimeout(kv.get(key)).catch((cause) => {
    throw new AppError('unavailable', 'We could not check your session. Please try again in a moment.', { cause })
  })
  const stored = text === null ? null : parseSession(text)
  if (!stored) return null
  const session: SessionPayload = { ...stored, kind, key }
  if (isExpired(session, now)) return null
  if (!stored.encryptedMailbox) return session
  return { ...session, mailboxKey: await decryptMailbox(token, stored.encryptedMailbox) }
}

const MAILBOX_PURPOSE = 'session-mailbox'

const encryptMailbox = (token: string, mailboxKey: string) =>
  encrypt(token, MAILBOX_PURPOSE, new Uint8Array(new TextEncoder().encode(mailboxKey)))

const decryptMailbox = async (token: string, encrypted: string) =>
  new TextDecoder().decode(await decrypt(token, MAILBOX_PURPOSE, encrypted))

function isExpired({ kind, createdAt, renewedAt }: SessionPayload, now: Millis): boolean {
  const { absolute, idle } = SESSION_TTL_MS[kind]
  return now >= createdAt + absolute || now >= renewedAt + idle
}

/** Extends the idle time. Call it only if `needsRenewal`: KV allows one write per second and key. */
export async function renewSession(kv: KVNamespace, session: SessionPayload, now: Millis): Promise<void> {
  await putSession(kv, { ...session, renewedAt: now }, now)
}

export const needsRenewal = (session: SessionPayload, now: Millis): boolean =>
  session.kind === 'supporter' && now >= session.renewedAt + DAY_MS

/** Ends one session. A row in D1 ends it at once, because KV may serve the deleted session for about a minute. */
export async function revokeSession(db: Db, kv: KVNamespace, session: SessionPayload): Promise<void> {
  await revokeSessionStatement(db, session).run()
  await kv.delete(session.key).catch(() => undefined)
}

export function revokeSessionStatement(db: Db, { sid, createdAt, kind }: SessionPayload): D1PreparedStatement {
  const expiresAt = createdAt + SESSION_TTL_MS[kind].absolute
  return prepare(
    db,
    sql`INSERT INTO ${revokedSessions} (sid, expires_at) VALUES (${sid}, ${expiresAt}) ON CONFLICT DO NOTHING`,
  )
}

/**
 * SQL condition: the `users` row belongs to the session, which is not revoked, and the account is neither banned nor
 * erased. Raw SQL, for hot statements that check the session without a second query.
 */
export const activeSessionSql = (userAlias: string, session: { userId: string; epoch: string; sid: string }) => `
  ${userAlias}.id = ${session.userId} AND ${userAlias}.session_epoch = ${session.epoch}
  AND ${userAlias}.banned_at IS NULL AND ${userAlias}.erased_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM revoked_sessions WHERE sid = ${session.sid})`

/** CTE `caller`: the user's row if the session is active, else empty. Binds ?1 to ?3 (`callerBinds`). */
export const CALLER_CTE = `caller AS (
  SELECT id, tier, role, points FROM users
  WHERE ${activeSessionSql('users', { userId: '?1', epoch: '?2', sid: '?3' })}
)`

/** Values for ?1 to ?3 of `CALLER_CTE`. For a visitor (null) they match no row. */
export const callerBinds = (session: Pick<SessionPayload, 'userId' | 'epoch' | 'sid'> | null) =>
  session ? ([session.userId, session.epoch, session.sid] as const) : ([0, 0, ''] as const)

/** KV key of a token's session: its hash. */
export const sessionKey = async (kind: SessionKind, token: string) => `${kind[0]}:${await sha256(token)}`

async function putSession(
  kv: KVNamespace,
  { kind, key, mailboxKey: _, ...stored }: SessionPayload,
  now: Millis,
): Promise<void> {
  const { absolute, idle } = SESSION_TTL_MS[kind]
  const until = Math.min(stored.createdAt + absolute, now + idle)
  // KV requires at least 60 seconds; `isExpired` decides.
  const expirationTtl = Math.max(60, Math.ceil((until - now) / SECOND_MS))
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

const KV_TIMEOUT_MS: Millis = 1500

async function withKvTimeout<T>(operation: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('KV did not respond in time')), KV_TIMEOUT_MS)
  })
  return Promise.race([operation, timeout]).finally(() => clearTimeout(timer))
}

/** This adds to the 60 seconds for which KV itself caches reads. */
const CACHE_TTL_MS: Millis = 30 * SECOND_MS
const MAX_CACHED_SESSIONS = 5000

export type SessionCache = ReturnType<typeof createSessionCache>

/**
 * Per-isolate cache of supporters' sessions by token hash. Like KV, it authorizes nothing: D1 rejects ended sessions in
 * `CALLER_CTE`. Only rate limits rely on it alone.
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

/** Whether the session of `CALLER_CTE` is active, and whether the user is banned. */
const SESSION_STATUS_COLUMNS = `EXISTS (SELECT 1 FROM caller) AS isActive,
  EXISTS (SELECT 1 FROM users WHERE id = ?1 AND banned_at IS NOT NULL) AS banned`

export type SessionStatusRow = { isActive: number; banned: number }

/**
 * SQL that returns one row: the session status and `columns`. As the last statement of a batch it shows whether the
 * batch wrote nothing because the session had ended. Binds ?1 to ?3 as `CALLER_CTE`.
 */
export const withSessionStatus = (columns: string) => `WITH ${CALLER_CTE} SELECT ${SESSION_STATUS_COLUMNS}, ${columns}`
export const SESSION_STATUS_SQL = withSessionStatus('1 AS ok')

/**
 * Returns the status row if the session is active.
 * @throws AppError `forbidden` for a banned account, `signed_out` for an ended session.
 */
export function requireActiveSession<R extends SessionStatusRow>(row: R | undefined, signInMessage: string | null): R {
  if (!row) throw new Error('The statement with the session status returned no row.')
  if (row.banned) throw bannedError()
  if (!row.isActive) throw signedOutError(signInMessage)
  return row
}

/** @param signInMessage the endpoint's message; null for the default. */
export const signedOutError = (signInMessage: string | null) =>
  new AppError('signed_out', signInMessage ?? 'Please log in first.')

export const bannedError = () => new AppError('forbidden', 'This account has been banned.')

/** SQL condition on `users`: no other call has ended the account's sessions since the caller's session began. */
export const hasEpochOf = ({ session }: Pick<Caller, 'session'>): SQL => sql`session_epoch = ${session.epoch}`

/**
 * Ends every session of the account and can set a new password in the same statement. Of two concurrent calls the
 * second fails, but its other statements run: so `before` must check `hasEpochOf`, and `after` must check `changes()`.
 * @returns the new epoch.
 * @throws AppError `signed_out`.
 */
export async function revokeAllSessions(
  db: Db,
  caller: Caller,
  now: Millis,
  options: { passwordHash?: string; before?: D1PreparedStatement[]; after?: D1PreparedStatement[] } = {},
): Promise<number> {
  const { session, userId } = caller
  const { passwordHash, before = [], after = [] } = options
  const revoked = db
    .update(users)
    .set({ sessionEpoch: session.epoch + 1, lastActiveAt: now, ...(passwordHash && { passwordHash }) })
    .where(and(eq(users.id, userId), hasEpochOf(caller)))
    .returning({ id: users.id })
  const results = await db.$client.batch([...before, prepare(db, revoked.getSQL()), ...after])
  if (!results[before.length]?.results.length) throw signedOutError(null)
  return session.epoch + 1
}
