import { requireActiveSession, type SessionStatusRow, withSessionStatus } from '../auth/require-session'
import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import type { PointsEntry } from '../contract/points'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'

/**
 * ?4 and ?5 are the instant and the id behind which the page begins. An act that pays through its mission alone has no
 * points of its own and is not a line.
 */
export const SELECT_HISTORY = `
  WITH ${CALLER_CTE} SELECT l.id, l.action, l.description, l.points, l.created_at AS at
  FROM ledger l WHERE l.user_id = (SELECT id FROM caller) AND (l.created_at, l.id) < (?4, ?5) AND l.points <> 0
  ORDER BY l.created_at DESC, l.id DESC LIMIT ${limits.historyPageSize + 1}`
const OUTCOME = withSessionStatus('1 AS ok')

type Row = { id: number; action: string; description: string; points: number; at: Millis }
type Page = { entries: PointsEntry[]; next: string | null }

/**
 * A page of the caller's own ledger, newest first, and the cursor of the page behind it. A cursor says where to go on
 * and nothing of whose rows: whoever brings it reads their own.
 * @throws AppError `bad_input` for a cursor that we never gave; `signed_out`, `forbidden`.
 */
export async function listHistory(
  db: Db,
  { session, cursor }: { session: SessionPayload; cursor: string | null },
): Promise<Page> {
  const [at, id] = cursor === null ? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] : parseCursor(cursor)
  const d1 = db.$client
  const [page, explanation] = await d1.batch([
    d1.prepare(SELECT_HISTORY).bind(...callerBinds(session), at, id),
    d1.prepare(OUTCOME).bind(...callerBinds(session)),
  ])
  requireActiveSession(explanation?.results[0] as SessionStatusRow | undefined, null)
  const rows = (page?.results ?? []) as Row[]
  const shown = rows.slice(0, limits.historyPageSize)
  const last = shown.at(-1)
  return {
    entries: shown.map(({ id, at, action, description, points }) => ({
      id: String(id),
      action,
      description,
      points,
      createdAt: new Date(at).toISOString(),
    })),
    next: rows.length > shown.length && last ? `${last.at}.${last.id}` : null,
  }
}

function parseCursor(cursor: string): [Millis, number] {
  const [, at, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? []
  if (!at || !id) throw new AppError('bad_input', 'That page of the history does not exist.')
  return [Number(at), Number(id)]
}
