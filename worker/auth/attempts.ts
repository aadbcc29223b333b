import type { Millis } from '../lib/clock'
import { sign } from '../lib/signature'
import { CALLER, type Claim, callerBinds } from './sessions'

/** At most `max` times within `per` milliseconds; the window begins with the first try. */
export type Allowance = { max: number; per: Millis }

/** The stored name of what is counted: `<what>:<keyed hash>`, so that neither names nor addresses are kept. */
export async function attemptKey(secret: string, what: string, ...parts: string[]): Promise<string> {
  return `${what}:${await sign(secret, 'attempts', [what, ...parts].join('\n'))}`
}

const ONE_MORE = (now: string) => `
  count = CASE WHEN attempts.expires_at <= ${now} THEN 1 ELSE attempts.count + 1 END,
  expires_at = CASE WHEN attempts.expires_at <= ${now} THEN excluded.expires_at ELSE attempts.expires_at END`

/**
 * The statement that counts one try and returns `count`; 1 again when the window is over. `unlessOver` names a key and
 * its limit: when that one is spent, nothing is counted and no row returns.
 */
export function countTry(
  db: D1Database,
  { key, per, now, unlessOver }: { key: string; per: Millis; now: Millis; unlessOver?: { key: string; max: number } },
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO attempts (key, count, expires_at)
       SELECT ?1, 1, ?2 + ?3 WHERE ?4 IS NULL
         OR coalesce((SELECT count FROM attempts WHERE key = ?4 AND expires_at > ?2), 0) <= ?5
       ON CONFLICT (key) DO UPDATE SET ${ONE_MORE('?2')} RETURNING count`,
    )
    .bind(key, now, per, unlessOver?.key ?? null, unlessOver?.max ?? null)
}

/**
 * The same for the bearer of `claim`, while their session stands and `unless` (SQL, in which ?7 is `about`) is not so;
 * it returns no row otherwise.
 */
export function countOwnTry(
  db: D1Database,
  claim: Claim,
  { key, per, now, unless, about }: { key: string; per: Millis; now: Millis; unless: string; about: string },
): D1PreparedStatement {
  return db
    .prepare(
      `WITH ${CALLER} INSERT INTO attempts (key, count, expires_at)
       SELECT ?4, 1, ?5 + ?6 FROM caller WHERE NOT (${unless})
       ON CONFLICT (key) DO UPDATE SET ${ONE_MORE('?5')} RETURNING count`,
    )
    .bind(...callerBinds(claim), key, now, per, about)
}

/** The statement that forgets the tries of a key: the right password was given. */
export function forgiveTries(db: D1Database, key: string): D1PreparedStatement {
  return db.prepare('DELETE FROM attempts WHERE key = ?1').bind(key)
}

/** Counts one try; false when that is one too many. */
export async function allowed(db: D1Database, key: string, { max, per }: Allowance, now: Millis): Promise<boolean> {
  const row = await countTry(db, { key, per, now }).first<{ count: number }>()
  return (row?.count ?? max + 1) <= max
}

/** How often that was counted within its window; counts nothing. */
export async function triesOf(db: D1Database, key: string, now: Millis): Promise<number> {
  const spent = 'SELECT count FROM attempts WHERE key = ?1 AND expires_at > ?2'
  return (await db.prepare(spent).bind(key, now).first<number>('count')) ?? 0
}
