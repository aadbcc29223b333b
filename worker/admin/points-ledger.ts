import type { AdminPointsEntry } from '../contract/admin'
import { paginate, parseCursor } from '../db/pagination'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'
import { IS_SUPPORTER, unknownUserError } from './users'

/** ?2 and ?3 are the instant and the id behind which the page begins. As in the fan's own history, nothing of no points. */
export const POINTS_ENTRIES = `
  SELECT l.id, l.action, l.description, l.points, l.created_at AS at,
    CASE WHEN l.key GLOB 'undo:*' THEN 'reversal'
      WHEN EXISTS (SELECT 1 FROM ledger u WHERE u.user_id = l.user_id AND u.key = 'undo:' || l.key) THEN 'taken_back'
      ELSE 'stands' END AS state
  FROM ledger l WHERE l.user_id = ?1 AND (l.created_at, l.id) < (?2, ?3) AND l.points <> 0
  ORDER BY l.created_at DESC, l.id DESC LIMIT ${limits.adminPageSize + 1}`

type PointsEntryRow = Omit<AdminPointsEntry, 'id' | 'createdAt'> & { id: number; at: Millis }

/**
 * A page of a supporter's ledger, newest first, in one round trip.
 * @throws AppError `not_found` for who is no supporter, `bad_input` for a cursor that is none.
 */
export async function listPointsEntries(
  db: D1Database,
  { id, cursor }: { id: number; cursor: string | null },
): Promise<{ entries: AdminPointsEntry[]; next: string | null }> {
  const position = parseCursor(cursor)
  const beforeId = position.id === '' ? Number.MAX_SAFE_INTEGER : Number(position.id)
  if (!Number.isSafeInteger(beforeId)) throw new AppError('bad_input', 'That page of the list does not exist.')
  const [page, userCheck] = await db.batch([
    db.prepare(POINTS_ENTRIES).bind(id, position.at, beforeId),
    db.prepare(`SELECT 1 FROM users WHERE id = ?1 AND ${IS_SUPPORTER}`).bind(id),
  ])
  if (userCheck?.results.length !== 1) throw unknownUserError()
  const { rows, next } = paginate((page?.results ?? []) as PointsEntryRow[], limits.adminPageSize)
  return {
    entries: rows.map(({ id, at, ...row }) => ({ ...row, id: String(id), createdAt: new Date(at).toISOString() })),
    next,
  }
}
