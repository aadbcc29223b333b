import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { TEAM_ROLES } from '../contract/endpoint'
import { type ExportSchedule, exportsApi } from '../contract/exports'
import { DAY_MS } from '../lib/clock'
import { errorOf, statusAndCodeOf } from '../testing/client'
import { emailsTo } from '../testing/emails'
import {
  auditEntries,
  exportMessage,
  lastAuditDetail,
  processExport,
  scheduleRequest,
  setUpExports,
} from '../testing/exports'
import { db } from '../testing/fixtures'
import { teamMembers } from '../users/team.table'
import { exportSchedules } from './exports.table'
import { nextWeeklyExport, startScheduledExports } from './schedules'

const ADDRESS = 'boss@mail.example'
beforeAll(async () => {
  await setUpExports()
  await env.DB.prepare(
    "UPDATE users SET email = ?1, email_key = ?1 WHERE id = (SELECT max(id) FROM users WHERE role = 'administrator')",
  )
    .bind(ADDRESS)
    .run()
})
beforeEach(async () => {
  for (const table of ['export_schedules', 'exports']) await env.DB.prepare(`DELETE FROM ${table}`).run()
})

const addSchedule = async (body: object = { kind: 'points' }) =>
  (await scheduleRequest('POST', '', body)).json<ExportSchedule>()
const listSchedules = async () => (await scheduleRequest('GET')).json<ExportSchedule[]>()
/** Runs the five-minute job and returns the ids that it sent to the queue. */
async function startExports(at: number): Promise<string[]> {
  const ids: string[] = []
  await startScheduledExports(db, { send: async ({ id }: { id: string }) => void ids.push(id) } as never, at)
  return ids
}

test.each([
  ['2026-07-01T16:00:00Z', 'America/New_York', '2026-07-06T11:00:00.000Z'],
  ['2026-07-06T10:59:00Z', 'America/New_York', '2026-07-06T11:00:00.000Z'],
  ['2026-07-06T11:00:00Z', 'America/New_York', '2026-07-13T11:00:00.000Z'],
  // There it is already Monday, while it is still Sunday in UTC.
  ['2026-07-05T16:00:00Z', 'Pacific/Kiritimati', '2026-07-05T17:00:00.000Z'],
])('after %s in %s the next export starts at %s', (at, zone, next) => {
  expect(new Date(nextWeeklyExport(Date.parse(at), zone)).toISOString()).toBe(next)
})

test('exports every week and emails a link to the screen', async () => {
  const { id, nextAt, email, isOwn } = await addSchedule({ kind: 'points', columns: ['given', 'entry'] })
  expect({ email, isOwn }).toEqual({ email: 'b…@mail.example', isOwn: true })
  expect(await lastAuditDetail('export.scheduled')).toEqual({ kind: 'points', columns: 'entry, given' })
  const dueAt = Date.parse(nextAt)
  expect(await startExports(dueAt - 1)).toEqual([])
  const runs = await Promise.all([startExports(dueAt), startExports(dueAt)])
  const [exportId = ''] = runs.flat()
  expect(runs.flat()).toHaveLength(1)
  await processExport(exportMessage(exportId), { at: dueAt })
  const [sent, ...others] = await emailsTo(ADDRESS)
  expect(others).toEqual([])
  expect([sent?.kind, sent?.text]).toEqual(['export_ready', expect.stringContaining('/admin/exports')])
  const row = await env.DB.prepare('SELECT columns, state FROM exports WHERE id = ?1').bind(exportId).first()
  expect(row).toEqual({ columns: '["entry","given"]', state: 'ready' })
  expect(await listSchedules()).toMatchObject([{ id, nextAt: new Date(dueAt + 7 * DAY_MS).toISOString() }])
  expect(await auditEntries('export.requested')).toContainEqual({ subject: `export:${exportId}` })
  expect(await lastAuditDetail('export.requested')).toEqual({ kind: 'points', columns: 'entry, given', weekly: true })
})

test('runs a late export once and leaves out missed weeks', async () => {
  const dueAt = Date.parse((await addSchedule()).nextAt)
  expect(await startExports(dueAt + 20 * DAY_MS)).toHaveLength(1)
  expect(await startExports(dueAt + 20 * DAY_MS)).toEqual([])
  expect((await listSchedules())[0]?.nextAt).toBe(new Date(dueAt + 21 * DAY_MS).toISOString())
})

test('scheduling a kind again replaces its columns', async () => {
  const first = await addSchedule()
  const second = await addSchedule({ kind: 'points', columns: ['entry'] })
  expect([first.columns, second]).toEqual([null, { ...first, columns: ['entry'] }])
  expect(await listSchedules()).toHaveLength(1)
})

test('deletes the weekly export of an admin who lost access', async () => {
  const dueAt = Date.parse((await addSchedule()).nextAt)
  await env.DB.prepare("UPDATE users SET banned_at = 1 WHERE role = 'administrator'").run()
  expect(await startExports(dueAt)).toEqual([])
  await env.DB.prepare("UPDATE users SET banned_at = NULL WHERE role = 'administrator'").run()
  expect(await listSchedules()).toEqual([])
})

test.each(TEAM_ROLES)('runs exports of %s if the role may export', async (role) => {
  const dueAt = Date.parse((await addSchedule()).nextAt)
  const { userId } = (await db.select().from(exportSchedules))[0]!
  const setRole = (to: string) =>
    env.DB.prepare('UPDATE team_members SET role = ?2 WHERE user_id = ?1').bind(userId, to).run()
  const { role: before } = (await db.select().from(teamMembers).where(eq(teamMembers.userId, userId)))[0]!
  await setRole(role)
  expect(await startExports(dueAt)).toHaveLength(exportsApi.request.roles?.includes(role) ? 1 : 0)
  await setRole(before)
})

test('stops a weekly export and rejects unknown columns', async () => {
  const { id } = await addSchedule()
  expect((await scheduleRequest('DELETE', `/${id}`)).status).toBe(204)
  expect(await statusAndCodeOf(await scheduleRequest('DELETE', `/${id}`))).toEqual([404, 'not_found'])
  expect(await errorOf(await scheduleRequest('POST', '', { kind: 'points', columns: ['shoe size'] }))).toEqual([
    400,
    'bad_input',
    'This export has no column “shoe size”. Choose the columns again.',
  ])
  expect(await statusAndCodeOf(await scheduleRequest('POST', '', { kind: 'points', columns: [] }))).toEqual([
    400,
    'bad_input',
  ])
})
