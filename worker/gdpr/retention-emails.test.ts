import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import worker from '../index'
import { DAY_MS } from '../lib/clock'
import { queryPlan } from '../testing/fixtures'

const START = Date.parse('2028-02-20T12:00:00.500Z')
const runDailyJobs = (when: number) => worker.scheduled({ scheduledTime: when } as ScheduledController, env as never)

type EmailRow = { id: string; recipient: string; text: string; headers: string }
const readEmails = async () =>
  (await env.DB.prepare('SELECT id, recipient, text, headers FROM outbox ORDER BY id').all<EmailRow>()).results
const idsWithBody = async () =>
  (await readEmails()).filter(({ text, headers }) => text + headers !== '{}').map(({ id }) => id)
const idsWithAddress = async () => (await readEmails()).filter(({ recipient }) => recipient !== '').map(({ id }) => id)

const insertEmail = (id: string, state: string, options: { kind?: string; broadcast?: string } = {}) =>
  env.DB.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, headers, broadcast_id, state, created_at, sent_at, due_at)
     VALUES (?1, 'key:' || ?1 || ':fan@mail.example', ?2, 'Fan@mail.example', 's', ?3, ?3, '{"List-Unsubscribe":"<x>"}', ?4, ?5, ?6,
       iif(?5 = 'sent', ?6, NULL), 9e15)`,
  )
    .bind(id, options.kind ?? 'verify', options.broadcast ? '' : 'secret', options.broadcast ?? null, state, START)
    .run()

beforeEach(async () => {
  for (const table of ['outbox', 'job_runs']) await env.DB.prepare(`DELETE FROM ${table}`).run()
  for (const state of ['failed', 'sent', 'unknown', 'waiting']) await insertEmail(state, state)
})

test('clears sent email texts after 7 days, others after 30', async () => {
  await runDailyJobs(START + 7 * DAY_MS - 1)
  expect(await idsWithBody()).toEqual(['failed', 'sent', 'unknown', 'waiting'])
  await runDailyJobs(START + 7 * DAY_MS)
  expect(await idsWithBody()).toEqual(['failed', 'unknown', 'waiting'])
  await runDailyJobs(START + 30 * DAY_MS - 1)
  expect(await idsWithBody()).toEqual(['failed', 'unknown', 'waiting'])
  await runDailyJobs(START + 30 * DAY_MS)
  expect([await idsWithBody(), (await idsWithAddress()).length]).toEqual([[], 4])
})

test('removes recipients of receipts and broadcasts after ninety days', async () => {
  await insertEmail('copy', 'sent', { broadcast: 'b1' })
  await insertEmail('receipt', 'sent', { kind: 'receipt' })
  await insertEmail('shipped', 'sent', { kind: 'shipped' })
  await runDailyJobs(START + 90 * DAY_MS - 1)
  expect((await idsWithAddress()).length).toBe(7)
  await Promise.all([runDailyJobs(START + 90 * DAY_MS), runDailyJobs(START + 90 * DAY_MS)])
  expect((await readEmails()).map(({ id }) => id)).toEqual(['copy', 'receipt', 'shipped'])
  const { results } = await env.DB.prepare('SELECT * FROM outbox').all()
  expect(JSON.stringify(results.map(({ dedupe_key: _, ...row }) => row))).not.toMatch(/fan@/i)
  const copy = await env.DB.prepare("SELECT dedupe_key FROM outbox WHERE id = 'copy'").first('dedupe_key')
  expect(copy).toBe('forgotten:copy')
})

test('deletes bounces after two years', async () => {
  const bouncedAt = Date.parse('2028-02-29T12:00:00.500Z')
  await env.DB.prepare("INSERT INTO mail_stops (hash, reason, created_at) VALUES ('h', 'bounced', ?)")
    .bind(bouncedAt)
    .run()
  const count = () => env.DB.prepare('SELECT count(*) AS n FROM mail_stops').first('n')
  await runDailyJobs(Date.parse('2030-02-28T12:00:00.499Z'))
  expect(await count()).toBe(1)
  await Promise.all([0, 1].map(() => runDailyJobs(Date.parse('2030-02-28T12:00:00.500Z'))))
  expect(await count()).toBe(0)
})

test('deletes many old emails in batches', async () => {
  await env.DB.prepare(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, state, created_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 11000)
     SELECT 'old' || i, 'old' || i, 'verify', 'a@b.example', 's', '', '', 'sent', 0 FROM n`,
  ).run()
  const count = () => env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE id LIKE 'old%'").first('n')
  await runDailyJobs(START)
  expect(await count()).toBe(1000)
  await worker.scheduled({ scheduledTime: START + 1, cron: '*/5 * * * *' } as ScheduledController, env as never)
  expect(await count()).toBe(0)
})

test.each([
  ['outbox_with_words', "SELECT id FROM outbox WHERE html <> '' AND created_at <= 1 ORDER BY created_at LIMIT 9"],
  [
    'outbox_with_address',
    "SELECT id FROM outbox WHERE recipient <> '' AND created_at <= 1 ORDER BY created_at LIMIT 9",
  ],
  ['mail_stops_newest', 'SELECT hash FROM mail_stops WHERE created_at <= 1 ORDER BY created_at LIMIT 9'],
])('finds due rows through %s', async (index, sql) => {
  expect((await queryPlan({ sql, params: [] })).join()).toContain(index)
})
