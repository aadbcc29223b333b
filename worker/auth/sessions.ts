import * as z from 'zod/mini'
import { DAY, HOUR, type Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { randomSecret, sha256 } from '../lib/secret'

/** Two kinds of session that never stand in for each other: their cookies and their places in KV differ. */
export type SessionKind = 'supporter' | 'administrator'

/** How long a session lasts. An administrator's is never renewed (ruling 7); a supporter's idles for 30 days at most. */
export const SESSION_LIFE: Record<SessionKind, { absolute: Millis; idle: Millis }> = {
  supporter: { absolute: 90 * DAY, idle: 30 * DAY },
  administrator: { absolute: 24 * HOUR, idle: 24 * HOUR },
}

const Stored = z.object({
  sid: z.string(),
  userId: z.int(),
  epoch: z.int(),
  createdAt: z.int(),
  /** When the person last proved who they are. */
  provenAt: z.int(),
  renewedAt: z.int(),
})

/** What KV says of a token. It authorises nothing until D1 agrees: see CALLER. */
export type Claim = z.infer<typeof Stored> & { kind: SessionKind; key: string }

/** A fresh session: its token goes into the cookie and is stored nowhere; KV knows its SHA-256 alone. */
export async function openSession(
  kv: KVNamespace,
  kind: SessionKind,
  person: { userId: number; epoch: number },
  now: Millis,
): Promise<{ token: string; claim: Claim }> {
  const token = randomSecret()
  const claim: Claim = {
    sid: randomSecret(),
    ...person,
    createdAt: now,
    provenAt: now,
    renewedAt: now,
    kind,
    key: await keyOf(kind, token),
  }
  await store(kv, claim, now)
  return { token, claim }
}

const TOKEN = /^[\w-]{43}$/

/**
 * Looks a token up in KV; null when it is malformed, unknown or past its time.
 * @throws Refused `unavailable` when KV does not answer: nobody is let in on a guess.
 */
export async function claimOf(
  kv: KVNamespace,
  kind: SessionKind,
  token: string | undefined,
  now: Millis,
): Promise<Claim | null> {
  if (token === undefined || !TOKEN.test(token)) return null
  const key = await keyOf(kind, token)
  const text = await inTime(kv.get(key)).catch((cause) => {
    throw new Refused('unavailable', 'We could not check your session. Please try again in a moment.', { cause })
  })
  const stored = text === null ? null : parse(text)
  if (!stored) return null
  const claim = { ...stored, kind, key }
  return isOver(claim, now) ? null : claim
}

/** True once a session is past its time, whatever was done with it. */
export function isOver({ kind, createdAt, renewedAt }: Claim, now: Millis): boolean {
  const { absolute, idle } = SESSION_LIFE[kind]
  return now >= createdAt + absolute || now >= renewedAt + idle
}

/** Keeps a supporter's session from idling out: one KV write a day at most (KV takes one a second a key). */
export async function renew(kv: KVNamespace, claim: Claim, now: Millis): Promise<void> {
  await store(kv, { ...claim, renewedAt: now }, now)
}

export const needsRenewal = (claim: Claim, now: Millis): boolean =>
  claim.kind === 'supporter' && now >= claim.renewedAt + DAY

/**
 * Ends one session at once: the row in D1 is what counts, the deletion in KV tidies up and may take a minute to be
 * seen everywhere.
 */
export async function closeSession(db: D1Database, kv: KVNamespace, claim: Claim): Promise<void> {
  await revocation(db, claim).run()
  await kv.delete(claim.key).catch(() => undefined)
}

/** The statement that ends a session, for a batch that does more. */
export function revocation(db: D1Database, { sid, createdAt, kind }: Claim): D1PreparedStatement {
  return db
    .prepare('INSERT INTO revoked_sessions (sid, expires_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING')
    .bind(sid, createdAt + SESSION_LIFE[kind].absolute)
}

/**
 * SQL: `person`, a row of users, is who the claim speaks of and its session stands. The one place that says when it does:
 * not after a log-out, a ban, a changed password or an erasure.
 */
export const isCaller = (person: string, claim: { userId: string; epoch: string; sid: string }) => `
  ${person}.id = ${claim.userId} AND ${person}.session_epoch = ${claim.epoch}
  AND ${person}.banned_at IS NULL AND ${person}.erased_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM revoked_sessions WHERE sid = ${claim.sid})`

/**
 * A CTE `caller`: the person's row while the session stands, no row otherwise. Binds ?1 user, ?2 epoch, ?3 sid
 * (`callerBinds`); a statement's own parameters start at ?4. A hot write joins it, and so needs no second trip:
 * `WITH ${CALLER} INSERT INTO track_likes (...) SELECT ..., caller.id FROM tracks JOIN caller WHERE ...`.
 */
export const CALLER = `caller AS (
  SELECT id, tier, role, points FROM users
  WHERE ${isCaller('users', { userId: '?1', epoch: '?2', sid: '?3' })}
)`
/** The three values that CALLER binds; a visitor's match no row. */
export const callerBinds = (claim: Pick<Claim, 'userId' | 'epoch' | 'sid'> | null) =>
  claim ? ([claim.userId, claim.epoch, claim.sid] as const) : ([0, 0, ''] as const)

/** Where a token's session is stored: under its hash, never under itself. */
export const keyOf = async (kind: SessionKind, token: string) => `${kind[0]}:${await sha256(token)}`

async function store(kv: KVNamespace, { kind, key, ...stored }: Claim, now: Millis): Promise<void> {
  const { absolute, idle } = SESSION_LIFE[kind]
  const until = Math.min(stored.createdAt + absolute, now + idle)
  // KV refuses less than a minute; the clock above decides, KV only tidies up.
  const expirationTtl = Math.max(60, Math.ceil((until - now) / 1000))
  await inTime(kv.put(key, JSON.stringify(stored), { expirationTtl })).catch((cause) => {
    throw new Refused('unavailable', 'We could not open your session. Please try again in a moment.', { cause })
  })
}

function parse(text: string): z.infer<typeof Stored> | null {
  try {
    return Stored.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** KV answers in milliseconds or is down: a request does not hang on it. */
const PATIENCE: Millis = 1500

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('KV did not answer in time')), PATIENCE)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
