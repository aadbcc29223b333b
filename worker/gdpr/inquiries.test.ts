import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Inquiry, InquiryRecord, JobRun } from '../contract/privacy'
import { openDb } from '../db/client'
import worker from '../index'
import { resumeDailyJobs, runDailyJobs } from '../jobs/job-runs'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { QUOTAS } from '../quotas/quotas'
import { DAILY_JOBS } from '../schedule'
import { errorOf, readPages, send, statusAndCodeOf } from '../testing/client'
import { emailsTo } from '../testing/emails'
import { addUser } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor, uniqueIp } from '../testing/users'
import { eraseAddress } from './erase-address'
import { answerInquiry } from './inquiries'

let cookie: string
const adminRequest = (method: string, path: string, json?: unknown, at = NOON) =>
  send(method, path, json, { at, headers: { cookie } })
const submitInquiry = ({ ip = uniqueIp(), ...fields }: { ip?: string; [field: string]: unknown } = {}, at = NOON) =>
  send(
    'POST',
    '/api/privacy/inquiries',
    { email: 'Fan@Mail.example', kind: 'access', message: 'What do you keep?', ...fields },
    {
      at,
      headers: { 'cf-connecting-ip': ip },
    },
  )
const listInquiries = async () =>
  (await readPages<Inquiry>('/api/admin/privacy/inquiries', { at: NOON, headers: { cookie } })).flat()

const getInquiryPage = async (id: string) =>
  (await adminRequest('GET', `/api/admin/privacy/inquiries/${id}`)).json<InquiryRecord>()

beforeAll(async () => {
  cookie = await cookieHeaderFor('administrator')
  await env.DB.prepare(
    "UPDATE users SET email = 'boss@mail.example', email_key = 'boss@mail.example', last_active_at = ?",
  )
    .bind(NOON)
    .run()
})
beforeEach(async () => {
  for (const table of ['privacy_inquiries', 'outbox', 'attempts']) await env.DB.prepare(`DELETE FROM ${table}`).run()
})

test('lists an inquiry and emails its due date', async () => {
  await addUser({
    username: 'asker',
    email: 'fan@mail.example',
    emailVerifiedAt: 0,
  })
  expect((await submitInquiry()).status).toBe(202)
  expect(await listInquiries()).toEqual([
    {
      id: expect.stringMatching(/^inquiry_/),
      kind: 'access',
      email: 'F…@Mail.example',
      username: 'asker',
      message: 'What do you keep?',
      createdAt: '2026-07-01T16:00:00.000Z',
      dueAt: '2026-07-31T16:00:00.000Z',
      confirmedAt: null,
      answeredAt: null,
      answer: null,
    },
  ])
  const [email] = await emailsTo('Fan@Mail.example')
  expect([email?.kind, email?.text.includes('by July 31, 2026, within 30 days')]).toEqual(['inquiry_received', true])
})

test('limits confirmation emails per mailbox, not inquiries', async () => {
  const aliases = Array.from({ length: QUOTAS.strangerEmailsPerMailbox.max + 2 }, (_, n) => `aliased+${n}@mail.example`)
  for (const email of aliases) expect((await submitInquiry({ email })).status).toBe(202)
  const count = (sql: string) => env.DB.prepare(sql).first('n')
  expect([
    await count("SELECT count(*) AS n FROM outbox WHERE recipient_key = 'aliased@mail.example'"),
    await count("SELECT count(*) AS n FROM privacy_inquiries WHERE email LIKE 'aliased+%'"),
  ]).toEqual([QUOTAS.strangerEmailsPerMailbox.max, aliases.length])
})

test('limits an address and network to five inquiries a day', async () => {
  for (let n = 0; n < 5; n++)
    expect(
      (await submitInquiry({ email: n % 2 ? 'FAN@mail.example' : 'fan@mail.example', ip: `192.0.2.${n}` })).status,
    ).toBe(202)
  expect(await errorOf(await submitInquiry({ ip: '192.0.2.9' }))).toEqual([
    429,
    'rate_limited',
    expect.stringContaining('several times today'),
  ])
  // Only the first one of the day is confirmed by email.
  expect((await env.DB.prepare('SELECT count(*) AS n FROM outbox').first<{ n: number }>())?.n).toBe(1)
  expect((await submitInquiry({ ip: '192.0.2.9' }, NOON + DAY_MS)).status).toBe(202)
})

test('limits an account to five inquiries a day', async () => {
  const email = 'own@mail.example'
  const { id } = await addUser({ email, emailKey: email, emailVerifiedAt: 0 })
  const ownCookie = await cookieHeaderFor('supporter', id)
  const submitOwn = () =>
    send(
      'POST',
      '/api/privacy/inquiries',
      { email, kind: 'access', message: 'Mine.' },
      {
        at: NOON,
        headers: { cookie: ownCookie, 'cf-connecting-ip': uniqueIp() },
      },
    )
  for (let n = 0; n < QUOTAS.inquiriesPerAccount.max; n++) expect((await submitOwn()).status).toBe(202)
  expect(await statusAndCodeOf(await submitOwn())).toEqual([429, 'rate_limited'])
  // They are confirmed, so their emails do not ask for that.
  const [acknowledgment] = await emailsTo(email)
  expect([acknowledgment?.kind, acknowledgment?.text.includes('confirm')]).toEqual(['inquiry_received', false])
  // Inquiries by strangers do not count.
  expect((await submitInquiry({ email })).status).toBe(202)
})

test.each([
  [{ email: 'a@b' }, 'Please enter a valid email address.'],
  [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'Please enter a valid email address.'],
  [{ message: ' \u0000 ' }, 'Your message is required.'],
  [{ message: 'x'.repeat(2001) }, 'Your message must be at most 2000 characters.'],
  [{ kind: 'praise' }, 'Please choose what it is about.'],
])('rejects an inquiry with %j', async (fields, message) => {
  expect(await errorOf(await submitInquiry(fields))).toEqual([400, 'bad_input', message])
})

test('answers an inquiry once by email, audited', async () => {
  await submitInquiry()
  const [{ id } = { id: '' }] = await listInquiries()
  const path = `/api/admin/privacy/inquiries/${id}/answer`
  const responses = await Promise.all(['First.', 'Second.'].map((answer) => adminRequest('POST', path, { answer })))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  const [email, ...otherEmails] = (await emailsTo('Fan@Mail.example')).filter(({ kind }) => kind === 'inquiry_answer')
  const [closed] = await listInquiries()
  expect([email?.text.startsWith(closed?.answer ?? '?'), otherEmails]).toEqual([true, []])
  const { results } = await env.DB.prepare("SELECT subject FROM audit_log WHERE action = 'inquiry.answered'").all()
  expect(results).toEqual([{ subject: `inquiry:${id}` }])
})

test('shows an inquiry’s history and other inquiries of its address', async () => {
  await submitInquiry()
  await submitInquiry({ kind: 'deletion' }, NOON + DAY_MS)
  await submitInquiry({ email: 'other@mail.example' })
  const first = (await listInquiries()).find(({ kind, email }) => kind === 'access' && email.startsWith('F'))
  await adminRequest('POST', `/api/admin/privacy/inquiries/${first?.id}/answer`, { answer: 'This.' }, NOON + HOUR_MS)
  const page = await getInquiryPage(first?.id ?? '')
  expect(page.events.map(({ kind, at }) => [kind, at])).toEqual([
    ['received', new Date(NOON).toISOString()],
    ['answered', new Date(NOON + HOUR_MS).toISOString()],
  ])
  expect(page.events[1]?.actor).toBeTypeOf('string')
  expect(page.others.map(({ kind, answeredAt }) => [kind, answeredAt])).toEqual([['deletion', null]])
  expect(await statusAndCodeOf(await adminRequest('GET', '/api/admin/privacy/inquiries/none'))).toEqual([
    404,
    'not_found',
  ])
})

test('pages through open inquiries by due date, then answered ones', async () => {
  await env.DB.prepare(
    `INSERT INTO privacy_inquiries (id, kind, email, email_key, message, created_at, due_at, answered_at, answer)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
     SELECT 'i-' || i, 'other', 'a@b.example', 'a@b.example', 'm', 0, i / 3, iif(i % 2, NULL, i / 4), iif(i % 2, NULL, 'a') FROM n`,
  ).run()
  const inquiries = await listInquiries()
  expect([inquiries.length, new Set(inquiries.map(({ id }) => id)).size]).toEqual([130, 130])
  expect(inquiries.findIndex(({ answeredAt }) => answeredAt !== null)).toBe(65)
  expect((await adminRequest('GET', '/api/admin/privacy/inquiries?cursor=rubbish')).status).toBe(400)
})

test('sends no answer when the address is erased concurrently', async () => {
  await submitInquiry({ email: 'gone@mail.example' })
  const [{ id } = { id: '' }] = await listInquiries()
  const actorId = (await env.DB.prepare("SELECT id FROM users WHERE role = 'administrator'").first<number>('id')) ?? 0
  const deps = { db: openDb(env.DB), secret: env.SIGNING_SECRET, origin: 'https://fan.example' }
  const concurrentDb = {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      await eraseAddress(deps, { id, actorId, at: NOON, shownOtherwise: true })
      return env.DB.batch(statements)
    },
  } as unknown as D1Database
  await expect(
    answerInquiry({ ...deps, db: openDb(concurrentDb) }, { id, answer: 'All of it.', actorId, at: NOON }),
  ).rejects.toThrow('already been answered')
  expect((await emailsTo('gone@mail.example')).map(({ kind }) => kind)).toEqual(['erased'])
})

test('sends reminders of many open inquiries in batches, once each', async () => {
  await env.DB.prepare('DELETE FROM job_runs').run()
  await env.DB.prepare(
    `INSERT INTO privacy_inquiries (id, kind, email, email_key, message, created_at, due_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1030)
     SELECT 'i-' || i, 'other', 'a@b.example', 'a@b.example', 'm', 0, ?1 + i FROM n`,
  )
    .bind(NOON + DAY_MS)
    .run()
  const jobs = DAILY_JOBS.filter(({ name }) => name === 'Send inquiry reminders')
  const deps = {
    db: openDb(env.DB),
    files: env.FILES,
    sessions: env.SESSIONS,
    secret: env.SIGNING_SECRET,
    origin: 'https://fan.example',
  }
  const failOnError = (job: string, error: unknown) => {
    throw new Error(`${job}: ${error}`)
  }
  const reminderCount = () => env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE kind = 'inquiry_due'").first('n')
  await runDailyJobs(jobs, deps, NOON, failOnError)
  expect(await reminderCount()).toBe(1000)
  // Two concurrent runs write the rest once.
  await Promise.all([1, 2].map(() => resumeDailyJobs(jobs, deps, NOON + 1, failOnError)))
  expect(await reminderCount()).toBe(1030)
  await runDailyJobs(jobs, deps, NOON + 1, failOnError)
  expect(await reminderCount()).toBe(1030)
})

test('reminds administrators a week before and when overdue', async () => {
  await submitInquiry()
  const runDailyJobsOn = (day: number) =>
    worker.scheduled({ scheduledTime: NOON + day * DAY_MS } as ScheduledController, env as never)
  for (const day of [22, 23, 24, 30, 31]) await runDailyJobsOn(day)
  expect((await emailsTo('boss@mail.example')).map(({ subject }) => subject)).toEqual([
    'A privacy inquiry is overdue',
    'A privacy inquiry is due in a week',
  ])
  const [{ id } = { id: '' }] = await listInquiries()
  expect((await emailsTo('boss@mail.example'))[0]?.text).toContain(`/admin/privacy/${id}`)
  expect((await getInquiryPage(id)).events.map(({ kind, at }) => [kind, at.slice(0, 10)])).toEqual([
    ['received', '2026-07-01'],
    ['reminded', '2026-07-24'],
    ['reminded', '2026-07-31'],
  ])
  const jobs = await (await adminRequest('GET', '/api/admin/privacy/jobs')).json<JobRun[]>()
  expect(jobs.find(({ job }) => job === 'Send inquiry reminders')).toEqual({
    job: 'Send inquiry reminders',
    startedAt: new Date(NOON + 31 * DAY_MS).toISOString(),
    affected: 0,
    state: 'done',
    lastDoneAt: new Date(NOON + 31 * DAY_MS).toISOString(),
  })
})
