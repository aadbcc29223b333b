import { and, eq, gt, sql } from 'drizzle-orm'
import { type Db, prepare } from '../db/client'
import type { Millis } from '../lib/clock'
import { sign } from '../lib/crypto'
import { attempts } from './auth.table'
import { CALLER_CTE, callerBinds, type SessionPayload } from './sessions'

/** At most `max` attempts per `windowMs`; the window starts with the first attempt. */
export type AttemptLimit = { max: number; windowMs: Millis }

/** `<scope>:<keyed hash>`: names and addresses are not stored. */
export async function attemptKey(secret: string, scope: string, ...parts: string[]): Promise<string> {
  return `${scope}:${await sign(secret, 'attempts', [scope, ...parts].join('\n'))}`
}

/** One attempt to count. */
type Attempt = { key: string; windowMs: Millis; now: Millis }

// Raw SQL: one upsert counts and restarts the window.
const INCREMENT = (now: string) => `
  count = CASE WHEN attempts.expires_at <= ${now} THEN 1 ELSE attempts.count + 1 END,
  expires_at = CASE WHEN attempts.expires_at <= ${now} THEN excluded.expires_at ELSE attempts.expires_at END`

/**
 * Statement that increments the counter and returns `count`, restarting at 1 after the window. With `unlessOver`, does
 * nothing and returns no row when that other counter exceeds its limit.
 */
export function countAttempt(
  db: Db,
  { key, windowMs, now, unlessOver }: Attempt & { unlessOver?: { key: string; max: number } },
): D1PreparedStatement {
  return db.$client
    .prepare(
      `INSERT INTO attempts (key, count, expires_at)
       SELECT ?1, 1, ?2 + ?3 WHERE ?4 IS NULL
         OR coalesce((SELECT count FROM attempts WHERE key = ?4 AND expires_at > ?2), 0) <= ?5
       ON CONFLICT (key) DO UPDATE SET ${INCREMENT('?2')} RETURNING count`,
    )
    .bind(key, now, windowMs, unlessOver?.key ?? null, unlessOver?.max ?? null)
}

/**
 * `countAttempt` for a caller. Returns no row if the session is not active or `unless` (SQL; ?7 is `subject`) holds.
 */
export function countCallerAttempt(
  db: Db,
  session: SessionPayload,
  { key, windowMs, now, unless: unlessSql, subject }: Attempt & { unless: string; subject: string },
): D1PreparedStatement {
  return db.$client
    .prepare(
      `WITH ${CALLER_CTE} INSERT INTO attempts (key, count, expires_at)
       SELECT ?4, 1, ?5 + ?6 FROM caller WHERE NOT (${unlessSql})
       ON CONFLICT (key) DO UPDATE SET ${INCREMENT('?5')} RETURNING count`,
    )
    .bind(...callerBinds(session), key, now, windowMs, subject)
}

/** Statement that resets the counter of a key. */
export function clearAttempts(db: Db, key: string): D1PreparedStatement {
  return prepare(db, sql`DELETE FROM ${attempts} WHERE key = ${key}`)
}

/** Counts one attempt; false if it exceeds the limit. */
export async function consumeAttempt(
  db: Db,
  key: string,
  { max, windowMs }: AttemptLimit,
  now: Millis,
): Promise<boolean> {
  const row = await countAttempt(db, { key, windowMs, now }).first<{ count: number }>()
  return (row?.count ?? max + 1) <= max
}

/** Attempts in the current window, without counting one. */
export async function attemptCount(db: Db, key: string, now: Millis): Promise<number> {
  const inWindow = and(eq(attempts.key, key), gt(attempts.expiresAt, now))
  const [row] = await db.select({ count: attempts.count }).from(attempts).where(inWindow)
  return row?.count ?? 0
}
