import { recordAuditIfChanged } from '../audit/audit'
import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  SESSION_STATUS_SQL,
  type SessionPayload,
  type SessionStatusRow,
} from '../auth/sessions'
import { POINTS, type PointsAction, type PointsEntry } from '../contract/points'
import type { PointsAdjustment } from '../contract/supporter-page'
import type { Db } from '../db/client'
import { paginate, parseNumericCursor } from '../db/pagination'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { limits } from '../limits'
import { unknownUserError } from '../users/admin-list'
import { ledger } from './points.table'

type Award = {
  userId: number
  action: PointsAction
  /** Id of the thing acted on, such as a poll, with the day if each day counts. Rewarded once per subject. */
  subject: string
  /** Shown in the user's history. */
  description: string
  at: Millis
}

/** Statement that awards an action's points and returns them; no row if awarded before. A trigger updates the total. */
export function awardStatement(db: Db, { userId, action, subject, description, at }: Award) {
  return db
    .insert(ledger)
    .values({ userId, action, key: `${action}:${subject}`, description, points: POINTS[action], createdAt: at })
    .onConflictDoNothing()
    .returning({ points: ledger.points })
}

/**
 * SQL that reverses an entry of the caller if `when` holds. The entry stays, so that its key is never rewarded again.
 * ?1 to ?3 are `callerBinds`; `key`, `description` and `at` are SQL. Returns the points, which are negative.
 */
export const reversalSql = ({ key, description, at, when }: Record<'key' | 'description' | 'at' | 'when', string>) => `
  WITH ${CALLER_CTE} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT entry.user_id, entry.action, 'undo:' || entry.key, ${description}, -entry.points, ${at}
  FROM caller JOIN ledger entry ON entry.user_id = caller.id AND entry.key = ${key} WHERE ${when}
  ON CONFLICT DO NOTHING RETURNING points`

/** ?1 entry, ?2 reason, ?3 now. `standing_acts` is a view of the ledger without reversals and reversed entries. */
const REVERSE_ENTRY = `
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT entry.user_id, entry.action, 'undo:' || entry.key, 'Taken back: ' || ?2, -entry.points, ?3
  FROM standing_acts entry WHERE entry.id = ?1 ON CONFLICT DO NOTHING RETURNING points`

/**
 * Reverses an entry, with a reason that the supporter sees, and writes the audit entry. Returns the points taken back.
 * @throws AppError `not_found`; `conflict` for a reversal, and for an entry that was reversed before.
 */
export async function reverseEntry(
  db: Db,
  { id, reason, actorId, at }: Actor & { id: number; reason: string },
): Promise<{ pointsTaken: number }> {
  const d1 = db.$client
  const [reversed, , entry] = await d1.batch([
    d1.prepare(REVERSE_ENTRY).bind(id, reason, at),
    recordAuditIfChanged(db, { actorId, action: 'points.voided', subject: `ledger:${id}`, detail: { reason }, at }),
    d1.prepare('SELECT id FROM ledger WHERE id = ?1').bind(id),
  ])
  const [row] = (reversed?.results ?? []) as { points: number }[]
  if (row) return { pointsTaken: -row.points }
  if (entry?.results.length !== 1) throw entryNotFoundError()
  throw new AppError('conflict', 'These points have already been taken back.')
}

const IS_SUPPORTER = "id = ?1 AND role = 'supporter' AND erased_at IS NULL"

/** The condition and the insert are one statement, so that concurrent requests cannot take the total below zero. */
const ADJUST_POINTS = `
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT id, 'adjustment', ?2, ?3, ?4, ?5 FROM users WHERE ${IS_SUPPORTER} AND points + ?4 >= 0
  ON CONFLICT DO NOTHING RETURNING points`

type Adjustment = PointsAdjustment & Actor & { userId: number }

/**
 * Adds or removes points by hand; the audit entry has the reason. A repeated key changes nothing.
 * @returns the new total.
 * @throws AppError `not_found`; `conflict` if the total would fall below zero.
 */
export async function adjustPoints(
  db: Db,
  { userId, points, reason, key, actorId, at }: Adjustment,
): Promise<{ totalPoints: number }> {
  const d1 = db.$client
  const ledgerKey = `adjustment:${key}`
  const description = points > 0 ? 'Added by the team' : 'Removed by the team'
  const [adjusted, , totals] = await d1.batch([
    d1.prepare(ADJUST_POINTS).bind(userId, ledgerKey, description, points, at),
    recordAuditIfChanged(db, {
      actorId,
      action: 'points.adjusted',
      subject: `user:${userId}`,
      detail: { points, reason },
      at,
    }),
    d1
      .prepare(
        `SELECT points, EXISTS (SELECT 1 FROM ledger WHERE user_id = ?1 AND key = ?2) AS isRepeated
         FROM users WHERE ${IS_SUPPORTER}`,
      )
      .bind(userId, ledgerKey),
  ])
  const [total] = (totals?.results ?? []) as { points: number; isRepeated: number }[]
  if (!total) throw unknownUserError()
  if (adjusted?.results.length !== 1 && !total.isRepeated)
    throw new AppError('conflict', `They have ${total.points} points. Remove at most that many.`)
  return { totalPoints: total.points }
}

export const entryNotFoundError = () => new AppError('not_found', 'That entry of the ledger does not exist.')

/**
 * SQL of the description of `entry`, a ledger row. Hides the title of a track that is not public `at` (SQL). The keys
 * begin with `<action>:<track>` or `undo:<action>:<track>`. Raw SQL, because points must not import tracks.
 */
export const publicDescriptionSql = (at: string) => `iif(entry.action IN ('track_like', 'track_stream')
  AND entry.description NOT LIKE 'Taken back: %' AND EXISTS (SELECT 1 FROM tracks WHERE tracks.released_at > ${at}
    AND tracks.id = CAST(substr(entry.key, instr(entry.key, entry.action || ':') + length(entry.action) + 1) AS INTEGER)),
  'A track that is not out', entry.description)`

/** ?4 and ?5: the cursor's timestamp and id; ?6: now. Leaves out entries of 0 points, which only count for missions. */
export const SELECT_HISTORY = `
  WITH ${CALLER_CTE} SELECT entry.id, entry.action, ${publicDescriptionSql('?6')} AS description, entry.points,
    entry.created_at AS at
  FROM ledger entry
  WHERE entry.user_id = (SELECT id FROM caller) AND (entry.created_at, entry.id) < (?4, ?5) AND entry.points <> 0
  ORDER BY entry.created_at DESC, entry.id DESC LIMIT ${limits.pointsHistoryPageSize + 1}`

type EntryRow = { id: number; action: string; description: string; points: number; at: Millis }
type HistoryPage = { entries: PointsEntry[]; next: string | null }

/** A page of the caller's ledger, newest first. @throws AppError `bad_input`, `signed_out`, `forbidden`. */
export async function listHistory(
  db: Db,
  { session, cursor, at: now }: { session: SessionPayload; cursor: string | null; at: Millis },
): Promise<HistoryPage> {
  const { at, id } = parseNumericCursor(cursor, 'history')
  const d1 = db.$client
  const [page, sessionStatus] = await d1.batch([
    d1.prepare(SELECT_HISTORY).bind(...callerBinds(session), at, id, now),
    d1.prepare(SESSION_STATUS_SQL).bind(...callerBinds(session)),
  ])
  requireActiveSession(sessionStatus?.results[0] as SessionStatusRow | undefined, null)
  const { rows, next } = paginate((page?.results ?? []) as EntryRow[], limits.pointsHistoryPageSize)
  return {
    entries: rows.map(({ id, at, action, description, points }) => ({
      id: String(id),
      action,
      description,
      points,
      createdAt: toIso(at),
    })),
    next,
  }
}
