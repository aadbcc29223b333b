import { type AnyColumn, lte, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type BatchResult, combineResults } from '../db/batch-delete'
import type { Db } from '../db/client'
import { HOUR_MS, type Millis } from '../lib/clock'
import { attempts, mailTokens, revokedSessions } from './auth.table'

/** Rows that one statement removes: a flood is worn off in pieces, never in one long write. */
const DELETE_BATCH = 2_000

/**
 * What is over is kept an hour longer, so that no clock that runs behind finds a session unrevoked or an attacker's
 * guesses forgotten.
 */
const EXPIRY_GRACE_MS: Millis = HOUR_MS

/**
 * Forgets what nothing asks for any more: counted guesses whose window is over, mailed secrets that no longer work, and
 * revocations of sessions that have run out by themselves. May run twice, or stop half-way: the next step goes on.
 */
export async function deleteExpiredAuthRows(db: Db, at: Millis): Promise<BatchResult> {
  const until = at - EXPIRY_GRACE_MS
  return combineResults([
    await deleteExpired(db, attempts, attempts.expiresAt, until),
    await deleteExpired(db, mailTokens, mailTokens.expiresAt, until),
    await deleteExpired(db, revokedSessions, revokedSessions.expiresAt, until),
  ])
}

async function deleteExpired(db: Db, table: SQLiteTable, expiresAt: AnyColumn, until: Millis): Promise<BatchResult> {
  const over = db.select({ rowid: sql`rowid` }).from(table).where(lte(expiresAt, until)).limit(DELETE_BATCH)
  const { meta } = await db.delete(table).where(sql`rowid IN ${over}`)
  return { affected: meta.changes, more: meta.changes >= DELETE_BATCH }
}
