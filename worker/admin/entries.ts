import type { DeskPointsEntry } from '../contract/people'
import type { Millis } from '../lib/clock'
import { paged, positionOf } from '../lib/keyset'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { MEANT, unknownPerson } from './people'

/** ?2 and ?3 are the instant and the id behind which the page begins. As in the fan's own history, nothing of no points. */
export const ENTRIES = `
  SELECT l.id, l.action, l.description, l.points, l.created_at AS at,
    CASE WHEN l.key GLOB 'undo:*' THEN 'reversal'
      WHEN EXISTS (SELECT 1 FROM ledger u WHERE u.user_id = l.user_id AND u.key = 'undo:' || l.key) THEN 'taken_back'
      ELSE 'stands' END AS state
  FROM ledger l WHERE l.user_id = ?1 AND (l.created_at, l.id) < (?2, ?3) AND l.points <> 0
  ORDER BY l.created_at DESC, l.id DESC LIMIT ${limits.deskRows + 1}`

type Row = Omit<DeskPointsEntry, 'id' | 'createdAt'> & { id: number; at: Millis }

/**
 * A page of a supporter's ledger, newest first, in one round trip.
 * @throws Refused `not_found` for who is no supporter, `bad_input` for a cursor that is none.
 */
export async function entriesOf(
  db: D1Database,
  { id, cursor }: { id: number; cursor: string | null },
): Promise<{ entries: DeskPointsEntry[]; next: string | null }> {
  const from = positionOf(cursor)
  const before = from.id === '' ? Number.MAX_SAFE_INTEGER : Number(from.id)
  if (!Number.isSafeInteger(before)) throw new Refused('bad_input', 'That page of the list does not exist.')
  const [page, person] = await db.batch([
    db.prepare(ENTRIES).bind(id, from.at, before),
    db.prepare(`SELECT 1 FROM users WHERE id = ?1 AND ${MEANT}`).bind(id),
  ])
  if (person?.results.length !== 1) throw unknownPerson()
  const { rows, next } = paged((page?.results ?? []) as Row[], limits.deskRows)
  return {
    entries: rows.map(({ id, at, ...row }) => ({ ...row, id: String(id), createdAt: new Date(at).toISOString() })),
    next,
  }
}
