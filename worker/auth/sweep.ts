import { type AnyColumn, lte, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../db/client'
import { HOUR, type Millis } from '../lib/clock'
import { attempts } from './attempts.table'
import { mailTokens } from './mail-tokens.table'
import { revokedSessions } from './sessions.table'

/** Rows that one statement removes, and statements on one day: a flood is worn off over days, never in one long write. */
const BATCH = 2_000
const BATCHES = 25

/**
 * What is over is kept an hour longer, so that no clock that runs behind finds a session unrevoked or an attacker's
 * guesses forgotten.
 */
const GRACE: Millis = HOUR

/**
 * Forgets what nothing asks for any more: counted guesses whose window is over, mailed secrets that no longer work, and
 * revocations of sessions that have run out by themselves. May run twice, or stop half-way: the next day goes on.
 */
export async function sweepAccounts(db: Db, at: Millis): Promise<number> {
  const guesses = await sweep(db, attempts, attempts.expiresAt, at - GRACE)
  const secrets = await sweep(db, mailTokens, mailTokens.expiresAt, at - GRACE)
  return guesses + secrets + (await sweep(db, revokedSessions, revokedSessions.expiresAt, at - GRACE))
}

async function sweep(db: Db, table: SQLiteTable, expiresAt: AnyColumn, until: Millis): Promise<number> {
  let removed = 0
  for (let batch = 0; batch < BATCHES; batch++) {
    const over = db.select({ rowid: sql`rowid` }).from(table).where(lte(expiresAt, until)).limit(BATCH)
    const { meta } = await db.delete(table).where(sql`rowid IN ${over}`)
    removed += meta.changes
    if (meta.changes < BATCH) break
  }
  return removed
}
