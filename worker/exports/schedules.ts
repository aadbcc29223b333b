import { asc, eq, lte, sql } from 'drizzle-orm'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import { type ExportRequest, type ExportSchedule, exportsApi } from '../contract/exports'
import { artistTimeZone } from '../db/artist-calendar'
import { type Db, prepare } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis, toIso, utcDay, utcToZonedTime, zonedTimeToUtc } from '../lib/clock'
import { newId } from '../lib/crypto'
import { maskEmail } from '../lib/email'
import { users } from '../users/users.table'
import { joinColumnNames, requireColumns } from './columns'
import type { ExportJob } from './exports'
import { exportSchedules } from './exports.table'

/** When weekly exports start, in the artist's time zone. */
const WEEKLY_TIME = '07:00'
const MONDAY = 1
const BATCH_SIZE = 20

/** The first Monday, 7 AM, after `at`. */
export function nextWeeklyExport(at: Millis, zone: string): Millis {
  const today = Date.parse(utcToZonedTime(at, zone).date)
  const daysToMonday = (7 + MONDAY - new Date(today).getUTCDay()) % 7
  const startOn = (day: number) => zonedTimeToUtc(utcDay(day), WEEKLY_TIME, zone)
  const monday = today + daysToMonday * DAY_MS
  return startOn(monday) > at ? startOn(monday) : startOn(monday + 7 * DAY_MS)
}

/** The team's weekly exports, sorted by kind; `isOwn` marks those of this user. */
export async function listExportSchedules(db: Db, userId: number): Promise<ExportSchedule[]> {
  const rows = await db
    .select({ schedule: exportSchedules, username: users.username, email: users.email })
    .from(exportSchedules)
    .innerJoin(users, eq(users.id, exportSchedules.userId))
    .orderBy(asc(exportSchedules.kind), asc(exportSchedules.createdAt))
  return rows.map(({ schedule, username, email }) => ({
    id: schedule.id,
    kind: schedule.kind,
    columns: schedule.columns,
    nextAt: toIso(schedule.nextAt),
    requestedBy: username ?? '',
    email: maskEmail(email ?? ''),
    isOwn: schedule.userId === userId,
  }))
}

/**
 * Schedules a weekly export for the caller. If the caller already has one of the kind, only its columns change.
 * @throws AppError `bad_input` for unknown columns or a caller without an email address.
 */
export async function scheduleExport(
  db: Db,
  { kind, columns, actorId, at }: ExportRequest & Actor,
): Promise<ExportSchedule> {
  const chosen = requireColumns(kind, columns)
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, actorId))
  if (!user?.email) throw new AppError('bad_input', 'Your account has no email address. Add one under Account first.')
  const schedule = {
    id: newId('schedule'),
    userId: actorId,
    kind,
    columns: chosen,
    nextAt: nextWeeklyExport(at, await artistTimeZone(db)),
    createdAt: at,
  }
  const { userId, kind: kindColumn } = exportSchedules
  const detail = { kind, columns: joinColumnNames(chosen) }
  await db.$client.batch([
    prepare(
      db,
      db
        .insert(exportSchedules)
        .values(schedule)
        .onConflictDoUpdate({ target: [userId, kindColumn], set: { columns: chosen } }),
    ),
    recordAudit(db, { actorId, action: 'export.scheduled', subject: `export:${kind}`, detail, at }),
  ])
  const ownSchedule = (await listExportSchedules(db, actorId)).find((listed) => listed.isOwn && listed.kind === kind)
  return ownSchedule!
}

/** Ends a weekly export of the caller. @throws AppError `not_found`. */
export async function removeExportSchedule(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<void> {
  const [removed] = await db.$client.batch([
    prepare(db, sql`DELETE FROM export_schedules WHERE id = ${id} AND user_id = ${actorId} RETURNING id`),
    recordAuditIfChanged(db, { actorId, action: 'export.unscheduled', subject: `export:${id}`, at }),
  ])
  if (!removed?.results.length) throw new AppError('not_found', 'That weekly export does not exist.')
}

/** SQL condition: the schedule's admin can log in and has a role that may schedule exports. */
const MAY_EXPORT = sql`EXISTS (SELECT 1 FROM users JOIN team_members ON team_members.user_id = users.id
  WHERE users.id = export_schedules.user_id AND users.banned_at IS NULL AND users.email IS NOT NULL
    AND team_members.role IN (SELECT value FROM json_each(${JSON.stringify(exportsApi.schedule.roles)})))`

/** Five-minute job: requests the weekly exports that are due. Missed weeks are skipped. */
export async function startScheduledExports(db: Db, queue: Queue<ExportJob>, at: Millis): Promise<void> {
  await db.run(sql`DELETE FROM export_schedules WHERE next_at <= ${at} AND NOT ${MAY_EXPORT}`)
  const due = await db
    .select()
    .from(exportSchedules)
    .where(lte(exportSchedules.nextAt, at))
    .orderBy(asc(exportSchedules.nextAt))
    .limit(BATCH_SIZE)
  if (due.length === 0) return
  const nextAt = nextWeeklyExport(at, await artistTimeZone(db))
  for (const schedule of due) {
    const id = newId('export')
    const { kind, columns, userId } = schedule
    const [rescheduled] = await db.$client.batch([
      // Of two concurrent runs, only one changes the row.
      prepare(
        db,
        sql`UPDATE export_schedules SET next_at = ${nextAt}
          WHERE id = ${schedule.id} AND next_at = ${schedule.nextAt} RETURNING id`,
      ),
      prepare(
        db,
        sql`INSERT INTO exports (id, kind, columns, requested_by, requested_at, emails_link)
          SELECT ${id}, ${kind}, ${columns && JSON.stringify(columns)}, ${userId}, ${at}, true WHERE changes() > 0`,
      ),
      recordAuditIfChanged(db, {
        actorId: userId,
        action: 'export.requested',
        subject: `export:${id}`,
        detail: { kind, columns: joinColumnNames(columns), weekly: true },
        at,
      }),
    ])
    if (rescheduled?.results.length) await queue.send({ kind: 'export', id }).catch(() => undefined)
  }
}
