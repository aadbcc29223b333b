import { sql } from 'drizzle-orm'
import type { AdminPointsEntry } from '../contract/admin'
import type { Db } from '../db/client'
import { type ListDefinition, type ListQuery, readList } from '../db/list'
import type { Page } from '../db/pagination'
import { type Millis, toIso } from '../lib/clock'
import { unknownUserError } from '../users/admin-list'

type PointsEntryRow = Omit<AdminPointsEntry, 'id' | 'createdAt'> & { id: number; at: Millis }

/** Ledger entries, without those of 0 points, as in the supporter's history. */
export const pointsEntryList: ListDefinition<PointsEntryRow, AdminPointsEntry> = {
  select: sql`entry.id, entry.action, entry.description, entry.points, entry.created_at AS at,
    CASE WHEN entry.key GLOB 'undo:*' THEN 'reversal'
      WHEN EXISTS (SELECT 1 FROM ledger reversal
        WHERE reversal.user_id = entry.user_id AND reversal.key = 'undo:' || entry.key) THEN 'taken_back'
      ELSE 'stands' END AS state`,
  from: sql`ledger entry`,
  where: sql`entry.points <> 0`,
  id: sql`entry.id`,
  sorts: { at: sql`entry.created_at` },
  defaultSort: '-at',
  filters: {},
  toItem: ({ id, at, ...row }) => ({ ...row, id: String(id), createdAt: toIso(at) }),
}

/** A page of a supporter's ledger, newest first. @throws AppError `not_found`, `bad_input`. */
export async function listPointsEntries(db: Db, userId: number, query: ListQuery): Promise<Page<AdminPointsEntry>> {
  const [supporter] = await db.all(
    sql`SELECT 1 FROM users WHERE id = ${userId} AND role = 'supporter' AND erased_at IS NULL`,
  )
  if (!supporter) throw unknownUserError()
  return readList(db, pointsEntryList, query, sql`entry.user_id = ${userId}`)
}
