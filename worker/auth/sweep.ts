import { type AnyColumn, lte, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../db/client'
import { type Step, together } from '../db/portions'
import { HOUR, type Millis } from '../lib/clock'
import { attempts } from './attempts.table'
import { mailTokens } from './mail-tokens.table'
import { revokedSessions } from './sessions.table'

/** Rows that one statement removes: a flood is worn off in pieces, never in one long write. */
const BATCH = 2_000

/**
 * What is over is kept an hour longer, so that no clock that runs behind finds a session unrevoked or an attacker's
 * guesses forgotten.
 */
const GRACE: Millis = HOUR

/**
 * Forgets what nothing asks for any more: counted guesses whose window is over, mailed secrets that no longer work, and
 * revocations of sessions that have run out by themselves. May run twice, or stop half-way: the next step goes on.
 */
export async function sweepAccounts(db: Db, at: Millis): Promise<Step> {
  const until = at - GRACE
  return together([
    await sweep(db, attempts, attempts.expiresAt, until),
    await sweep(db, mailTokens, mailTokens.expiresAt, until),
    await sweep(db, revokedSessions, revokedSessions.expiresAt, until),
  ])
}

async function sweep(db: Db, table: SQLiteTable, expiresAt: AnyColumn, until: Millis): Promise<Step> {
  const over = db.select({ rowid: sql`rowid` }).from(table).where(lte(expiresAt, until)).limit(BATCH)
  const { meta } = await db.delete(table).where(sql`rowid IN ${over}`)
  return { affected: meta.changes, more: meta.changes >= BATCH }
}
