import type { AdminPointsEntry } from '../contract/admin'
import type { Db } from '../db/client'
import { type Page, paginate, parseNumericCursor } from '../db/pagination'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'
import { unknownUserError } from '../users/admin-list'

/** ?2 and ?3 are timestamp and id of the cursor. Entries without points are left out, as in the supporter's history. */
export const POINTS_ENTRIES = `
  SELECT l.id, l.action, l.description, l.points, l.created_at AS at,
    CASE WHEN l.key GLOB 'undo:*' THEN 'reversal'
      WHEN EXISTS (SELECT 1 FROM ledger u WHERE u.user_id = l.user_id AND u.key = 'undo:' || l.key) THEN 'taken_back'
      ELSE 'stands' END AS state
  FROM ledger l WHERE l.user_id = ?1 AND (l.created_at, l.id) < (?2, ?3) AND l.points <> 0
  ORDER BY l.created_at DESC, l.id DESC LIMIT ${limits.adminPageSize + 1}`

type PointsEntryRow = Omit<AdminPointsEntry, 'id' | 'createdAt'> & { id: number; at: Millis }

/** A page of a supporter's ledger, newest first. @throws AppError `not_found`, `bad_input`. */
export async function listPointsEntries(
  db: Db,
  { id, cursor }: { id: number; cursor: string | null },
): Promise<Page<AdminPointsEntry>> {
  const position = parseNumericCursor(cursor)
  const d1 = db.$client
  const [page, supporter] = await d1.batch([
    d1.prepare(POINTS_ENTRIES).bind(id, position.at, position.id),
    d1.prepare("SELECT 1 FROM users WHERE id = ?1 AND role = 'supporter' AND erased_at IS NULL").bind(id),
  ])
  if (supporter?.results.length !== 1) throw unknownUserError()
  const { rows, next } = paginate((page?.results ?? []) as PointsEntryRow[], limits.adminPageSize)
  return {
    rows: rows.map(({ id, at, ...row }) => ({ ...row, id: String(id), createdAt: new Date(at).toISOString() })),
    next,
  }
}
