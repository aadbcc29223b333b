import { recordAuditIfChanged } from '../audit/audit'
import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import type { PointsEntry } from '../contract/points'
import { POINTS, type PointsAction } from '../contract/points'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'
import { ledger } from './points.table'

export type Award = {
  userId: number
  action: PointsAction
  /** With the action it identifies the act, e.g. a poll's id. The same act pays once, whatever is retried or raced. */
  subject: string
  /** Shown in the person's history. */
  description: string
  at: Millis
}

/**
 * The statement that pays an act, for a call of its own or for the caller's batch; the ledger's trigger moves the
 * total in the same write. It returns the row paid, or nothing when the act was paid before.
 */
export function awardStatement(db: Db, { userId, action, subject, description, at }: Award) {
  return db
    .insert(ledger)
    .values({ userId, action, key: `${action}:${subject}`, description, points: POINTS[action], createdAt: at })
    .onConflictDoNothing()
    .returning({ points: ledger.points })
}

/**
 * The statement that takes an act of the caller back, where `when` (SQL) holds: a reversing row of the same action,
 * under a key of its own, so that no act goes back twice. The act's own key stays taken: it is never paid again. Binds
 * ?1 to ?3 as CALLER does; `key`, `description` and `at` are SQL. Returns the row's points, which are negative.
 */
export const reversalSql = ({ key, description, at, when }: Record<'key' | 'description' | 'at' | 'when', string>) => `
  WITH ${CALLER_CTE} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT act.user_id, act.action, 'undo:' || act.key, ${description}, -act.points, ${at}
  FROM caller JOIN ledger act ON act.user_id = caller.id AND act.key = ${key} WHERE ${when}
  ON CONFLICT DO NOTHING RETURNING points`

const REVERSE_ENTRY = `
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT act.user_id, act.action, 'undo:' || act.key, 'Taken back: ' || ?2, -act.points, ?3
  FROM standing_acts act WHERE act.id = ?1 ON CONFLICT DO NOTHING RETURNING points`

/**
 * An administrator takes an act's points back, with a reason that its fan reads in their history: a reversing row, and
 * a line of the audit, together. The act's key stays taken, so that it is not paid again.
 * @throws AppError `not_found` for an entry that is not there, `conflict` for one that is a reversal or was taken back.
 */
export async function reverseEntry(
  db: Db,
  { id, reason, actorId, at }: { id: number; reason: string; actorId: number; at: Millis },
): Promise<{ pointsTaken: number }> {
  const d1 = db.$client
  const [reversed, , entry] = await d1.batch([
    d1.prepare(REVERSE_ENTRY).bind(id, reason, at),
    recordAuditIfChanged(d1, { actorId, action: 'points.voided', subject: `ledger:${id}`, detail: { reason }, at }),
    d1.prepare('SELECT id FROM ledger WHERE id = ?1').bind(id),
  ])
  const [row] = (reversed?.results ?? []) as { points: number }[]
  if (row) return { pointsTaken: -row.points }
  if (entry?.results.length !== 1) throw entryNotFound()
  throw new AppError('conflict', 'These points have been taken back already.')
}

export const entryNotFound = () => new AppError('not_found', 'That entry of the ledger does not exist.')

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
