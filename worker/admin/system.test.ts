import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { version } from '../../package.json'
import { continueArchive } from '../archive/archives'
import type { Archive } from '../contract/archives'
import type { SystemStatus } from '../contract/system'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { send } from '../testing/client'
import { addUser, db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { findProblems, notifyOwners } from './system'

let cookie = ''
beforeEach(async () => {
  await env.DB.batch(
    ['outbox', 'job_runs', 'archive_entries', 'archive_parts', 'archives'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  )
  if (cookie === '') {
    await loadFixtures()
    cookie = await cookieHeaderFor('administrator')
  }
})

const request = (method: string, path: string, json?: unknown) =>
  send(method, path, json, { at: NOON, headers: { cookie } })
const messages = async (at = NOON) => (await findProblems(db, at)).map(({ message }) => message)
const addRun = (job: string, at: number, state: string) =>
  env.DB.prepare('INSERT INTO job_runs (job, started_at, affected, state) VALUES (?1, ?2, 0, ?3)')
    .bind(job, at, state)
    .run()
const addEmail = (id: string, state: string, createdAt = NOON - HOUR_MS) =>
  env.DB.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, state, created_at)
     VALUES (?1, ?1, 'verify', 'a@mail.example', 's', 't', 'h', ?2, ?3)`,
  )
    .bind(id, state, createdAt)
    .run()

test('shows version, database, queues and failing emails', async () => {
  for (let i = 0; i < 3; i++) await addEmail(`w${i}`, 'waiting')
  await addEmail('f', 'failed')
  await addEmail('u', 'unknown')
  await addRun('A job', NOON - HOUR_MS, 'done')
  const status = (await (await request('GET', '/api/admin/system')).json()) as SystemStatus
  expect(status).toMatchObject({
    version,
    origin: 'https://fan.example',
    payments: 'off',
    emails: { failedLastDay: 1, unknown: 1 },
  })
  expect(status.queues).toContainEqual({ name: 'Emails', waiting: 3 })
  expect(status.database.sizeBytes).toBeGreaterThan(100_000)
  expect(status.migration).toMatch(/^\d{4}_\w+\.sql$/)
  expect(status.problems).toEqual([])
  expect(status.lastArchive).toBeNull()
})

test('shows the last archive and the size of all files', async () => {
  const status = async () => (await (await request('GET', '/api/admin/system')).json()) as SystemStatus
  const { filesBytes } = await status()
  const { id } = (await (await request('POST', '/api/admin/archives', {})).json()) as Archive
  await continueArchive({ db, files: env.FILES, secret: env.SIGNING_SECRET }, id, { now: () => NOON })
  const after = await status()
  expect(after.lastArchive).toEqual({ at: new Date(NOON).toISOString(), sizeBytes: expect.any(Number) })
  expect(after.filesBytes - filesBytes).toBe(after.lastArchive?.sizeBytes)
})

test('counts imports in progress and waiting webhooks', async () => {
  const { id: userId } = await addUser({ role: 'administrator' })
  const addImport = (id: string, state: string) =>
    env.DB.prepare(
      `INSERT INTO imports (id, state, file_name, headers, mapping, requested_by, created_at, updated_at, started_at)
       VALUES (?1, ?2, 'fans.csv', '[]', '{}', ?3, ?4, ?4, ?4)`,
    ).bind(id, state, userId, NOON)
  const addDelivery = (id: string, state: string) =>
    env.DB.prepare(
      `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, data, state, created_at)
       VALUES (?1, 'hook', ?1, 'order.paid', '{}', ?2, ?3)`,
    ).bind(id, state, NOON)
  await env.DB.batch([
    ...['checking', 'importing', 'undoing', 'checked', 'imported', 'failed'].map((state) => addImport(state, state)),
    env.DB.prepare(
      `INSERT INTO webhooks (id, url, events, sealed_secret, created_at) VALUES ('hook', 'https://a.example', '[]', '', 0)`,
    ),
    ...['waiting', 'delivered', 'failed'].map((state) => addDelivery(state, state)),
  ])
  const { queues } = (await (await request('GET', '/api/admin/system')).json()) as SystemStatus
  expect(queues).toContainEqual({ name: 'Imports', waiting: 3 })
  expect(queues).toContainEqual({ name: 'Webhooks', waiting: 1 })
})

test('reports a job only after two failures in a row', async () => {
  await addRun('Delete things', NOON - 3 * DAY_MS, 'failed')
  await addRun('Delete things', NOON - 2 * DAY_MS, 'done')
  await addRun('Delete things', NOON - DAY_MS, 'failed')
  expect(await messages()).toEqual([])
  await addRun('Delete things', NOON, 'failed')
  expect(await messages()).toEqual(['The daily job “Delete things” failed twice in a row.'])
})

test('reports eight days without an archive', async () => {
  // Without any archive, the days count from the first job run.
  await addRun('A job', NOON - 9 * DAY_MS, 'done')
  expect(await messages()).toEqual(['There has been no archive for more than 8 days.'])
  const archive = (await (await request('POST', '/api/admin/archives', {})).json()) as Archive
  await continueArchive({ db, files: env.FILES, secret: env.SIGNING_SECRET }, archive.id, { now: () => NOON })
  expect(await messages()).toEqual([])
  expect(await messages(NOON + 9 * DAY_MS)).toEqual(['There has been no archive for more than 8 days.'])
})

test('emails each owner once per kind of problem and day', async () => {
  const owner = await addUser({ role: 'administrator', email: 'the.owner@mail.example' })
  await addUser({ role: 'administrator', teamRole: 'manager', email: 'a.manager@mail.example' })
  // Above `limits.unsentEmailAlertThreshold`.
  for (let i = 0; i < 6; i++) await addEmail(`f${i}`, 'failed')
  const deps = { db, origin: 'https://fan.example' }
  const recipients = async () =>
    (
      await env.DB.prepare("SELECT recipient FROM outbox WHERE kind = 'system_notice'").all<{ recipient: string }>()
    ).results.map(({ recipient }) => recipient)
  await notifyOwners(deps, NOON)
  await notifyOwners(deps, NOON + HOUR_MS)
  const first = await recipients()
  expect(first.filter((recipient) => recipient === owner.email)).toHaveLength(1)
  expect(first).not.toContain('a.manager@mail.example')
  await addEmail('late', 'failed', NOON + DAY_MS)
  for (let i = 0; i < 6; i++) await addEmail(`g${i}`, 'failed', NOON + DAY_MS)
  await notifyOwners(deps, NOON + DAY_MS)
  expect((await recipients()).filter((recipient) => recipient === owner.email)).toHaveLength(2)
})

test('allows one archive at a time and audits its download', async () => {
  const response = await request('POST', '/api/admin/archives', { passphrase: 'four words and a number' })
  expect(response.status).toBe(202)
  const { id, encrypted } = (await response.json()) as Archive
  expect(encrypted).toBe(true)
  expect((await request('POST', '/api/admin/archives', {})).status).toBe(409)
  expect((await request('POST', '/api/admin/archives', { passphrase: 'short' })).status).toBe(400)
  expect((await request('GET', `/api/admin/archives/${id}/file`)).status).toBe(404)
  await continueArchive({ db, files: env.FILES, secret: env.SIGNING_SECRET }, id, { now: () => NOON })
  const path = `/api/admin/archives/${id}/file`
  const part = await send('GET', path, undefined, { at: NOON, headers: { cookie, range: 'bytes=1-' } })
  expect(part.status).toBe(206)
  const file = await request('GET', path)
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="archive-2026-07-01.tar.age"')
  expect(new TextDecoder().decode((await file.arrayBuffer()).slice(0, 21))).toBe('age-encryption.org/v1')
  const actions = await env.DB.prepare("SELECT action FROM audit_log WHERE subject = 'archive:' || ?1 ORDER BY id")
    .bind(id)
    .all()
  // A range that skips the first byte is audited too.
  const downloaded = { action: 'archive.downloaded' }
  expect(actions.results).toEqual([{ action: 'archive.requested' }, downloaded, downloaded])
  const listed = (await (await request('GET', '/api/admin/archives')).json()) as Archive[]
  expect(listed[0]).toMatchObject({ id, state: 'ready', files: 3 })
})
