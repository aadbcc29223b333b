import { and, desc, lt, sql } from 'drizzle-orm'
import type { AdminSubscriber } from '../contract/admin'
import type { Db } from '../db/client'
import { type ListParams, type Page, paginate, parseNumericCursor, startsWith } from '../db/pagination'
import { maskEmail, normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { subscribers } from './newsletter.table'

/** The newest subscribers before a rowid, optionally those whose email starts with `prefix`. */
export function subscribersQuery(db: Db, { prefix, beforeRowid }: { prefix: string; beforeRowid: number }) {
  const rowid = sql<number>`subscribers.rowid`
  return db
    .select({
      id: rowid,
      publicId: subscribers.id,
      email: subscribers.email,
      state: subscribers.state,
      city: subscribers.city,
      at: subscribers.createdAt,
    })
    .from(subscribers)
    .where(and(lt(rowid, beforeRowid), prefix === '' ? undefined : startsWith(sql`${subscribers.emailKey}`, prefix)))
    .orderBy(desc(rowid))
    .limit(limits.adminPageSize + 1)
}

/** A page of newsletter subscribers, newest first, emails masked. @throws AppError `bad_input`. */
export async function listSubscribers(db: Db, { q, cursor }: ListParams): Promise<Page<AdminSubscriber>> {
  const { id: beforeRowid } = parseNumericCursor(cursor)
  const results = await subscribersQuery(db, { prefix: normalizeKey(q), beforeRowid })
  const { rows, next } = paginate(results, limits.adminPageSize)
  return {
    rows: rows.map(({ publicId, email, state, city, at }) => ({
      id: publicId,
      email: maskEmail(email),
      state,
      city: city ?? '',
      joinedAt: new Date(at).toISOString(),
    })),
    next,
  }
}
