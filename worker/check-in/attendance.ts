import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import { readShow, readShowByIdOrSlug, toConcert } from '../concerts/concerts'
import { type Attendance, checkInApi, type ShowPage } from '../contract/check-in'
import { POINTS } from '../contract/points'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { limits } from '../limits'
import { attendeeCountSql, checkInWindow } from './check-in-code'

/** ?4 show. Banned and erased users are neither counted nor listed. */
const ATTENDANCE_SQL = withSessionStatus(`
  (${attendeeCountSql('?4')}) AS count,
  (SELECT json_group_array(username) FROM (
    SELECT u.username FROM show_goers g JOIN users u ON u.id = g.user_id
    WHERE g.concert_id = ?4 AND g.is_named = 1 AND u.banned_at IS NULL AND u.erased_at IS NULL
    ORDER BY g.created_at DESC, g.user_id LIMIT ${limits.maxAttendeesShown})) AS names,
  (SELECT g.is_named FROM show_goers g JOIN caller ON caller.id = g.user_id WHERE g.concert_id = ?4) AS named,
  (SELECT i.checked_in_at FROM check_ins i JOIN caller ON caller.id = i.user_id WHERE i.concert_id = ?4) AS doneAt`)

type AttendanceRow = SessionStatusRow & { count: number; names: string; named: number | null; doneAt: Millis | null }

/** ?4 show, ?5 named, ?6 now. */
const INSERT_ATTENDEE_SQL = `
  WITH ${CALLER_CTE} INSERT INTO show_goers (concert_id, user_id, is_named, created_at)
  SELECT c.id, caller.id, ?5, ?6 FROM concerts c JOIN caller WHERE c.id = ?4
  ON CONFLICT (concert_id, user_id) DO UPDATE SET is_named = excluded.is_named`
const DELETE_ATTENDEE_SQL = `WITH ${CALLER_CTE} DELETE FROM show_goers WHERE concert_id = ?4 AND user_id = (SELECT id FROM caller)`

type ShowPageQuery = { session: SessionPayload | null; idOrSlug: string; at: Millis }

/** Data of a show's page; `session` is null for visitors. @throws AppError `not_found`. */
export async function readShowPage(db: Db, { session, idOrSlug, at }: ShowPageQuery): Promise<ShowPage> {
  const row = await readShowByIdOrSlug(db, idOrSlug)
  const attendance = await db.$client
    .prepare(ATTENDANCE_SQL)
    .bind(...callerBinds(session), row.id)
    .first<AttendanceRow>()
  if (!attendance) throw new Error('The attendance query returned no row.')
  const { opensAt, closesAt } = checkInWindow(row)
  return {
    ...toConcert(row),
    endsAt: toIso(row.endsAt),
    now: toIso(at),
    checkIn: {
      opensAt: toIso(opensAt),
      closesAt: toIso(closesAt),
      points: POINTS.check_in,
      doneAt: toIso(attendance.doneAt),
    },
    going: toAttendance(attendance),
  }
}

/**
 * Sets whether the caller is going, and whether their name is public. @throws AppError `not_found`, `closed` after the
 * show, `signed_out`, `forbidden`.
 */
export async function setAttendance(
  db: Db,
  { session, id, at, ...input }: { session: SessionPayload; id: string; at: Millis; going: boolean; named: boolean },
): Promise<Attendance> {
  const row = await readShow(db, id)
  if (input.going && row.endsAt <= at) throw new AppError('closed', 'This show is over.')
  const d1 = db.$client
  const binds = [...callerBinds(session), id] as const
  const [, attendance] = await d1.batch([
    input.going
      ? d1.prepare(INSERT_ATTENDEE_SQL).bind(...binds, input.named ? 1 : 0, at)
      : d1.prepare(DELETE_ATTENDEE_SQL).bind(...binds),
    d1.prepare(ATTENDANCE_SQL).bind(...binds),
  ])
  return toAttendance(
    requireActiveSession(attendance?.results[0] as AttendanceRow | undefined, checkInApi.going.signInMessage),
  )
}

const toAttendance = ({ isActive, count, names, named }: AttendanceRow): Attendance => ({
  count,
  names: JSON.parse(names) as string[],
  me: isActive ? { going: named !== null, named: named === 1 } : null,
})
