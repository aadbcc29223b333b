import { sql } from 'drizzle-orm'
import type { AdminPointsEntry } from '../contract/admin'
import type { Db } from '../db/client'
import { type ListDefinition, type ListQuery, readList } from '../db/list'
import type { Page } from '../db/pagination'
import { type Millis, toIso } from '../lib/clock'
import { unknownUserError } from '../users/admin-list'

type PointsEntryRow = Omit<AdminPointsEntry, 'id' | 'createdAt'> & { id: number; at: Millis }

/** Ledger entries. Those without points are left out, as in the supporter's history. */
export const pointsEntryList: ListDefinition<PointsEntryRow, AdminPointsEntry> = {
  select: sql`l.id, l.action, l.description, l.points, l.created_at AS at,
    CASE WHEN l.key GLOB 'undo:*' THEN 'reversal'
      WHEN EXISTS (SELECT 1 FROM ledger u WHERE u.user_id = l.user_id AND u.key = 'undo:' || l.key) THEN 'taken_back'
      ELSE 'stands' END AS state`,
  from: sql`ledger l`,
  where: sql`l.points <> 0`,
  id: sql`l.id`,
  sorts: { at: sql`l.created_at` },
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
  return readList(db, pointsEntryList, query, sql`l.user_id = ${userId}`)
}
