import { env } from 'cloudflare:test'
import { beforeEach, expect, test, vi } from 'vitest'
import worker from '../index'
import { DAY_MS } from '../lib/clock'
import { addChallenge, addTrack, addUser } from '../testing/fixtures'
import { spyOnD1 } from '../testing/stores'

const at = (iso: string) => Date.parse(iso)
const runDailyJobs = (when: number, DB = env.DB) =>
  worker.scheduled({ scheduledTime: when } as ScheduledController, { ...env, DB } as never)
const queryRow = <T>(sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .first<T>()
const queryRows = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results

beforeEach(async () => {
  await env.DB.batch(
    ['outbox', 'city_requests', 'privacy_inquiries', 'job_runs'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  )
})

test('aggregates plays and deletes clicks after 26 months', async () => {
  const track = await addTrack()
  for (const [day, plays] of [
    ['2024-12-31', 5],
    ['2025-01-01', 7],
    ['2025-01-02', 11],
  ] as const) {
    await env.DB.prepare('INSERT INTO track_days (track_id, day, plays) VALUES (?, ?, ?)')
      .bind(track.id, day, plays)
      .run()
    await env.DB.prepare("INSERT INTO outbound_clicks (track_id, service, day, clicks) VALUES (?, 'spotify', ?, 1)")
      .bind(track.id, day)
      .run()
  }
  await runDailyJobs(at('2027-03-01T00:00:00Z') - 1)
  const remaining = () => queryRows('SELECT day, plays FROM track_days ORDER BY day')
  expect(await remaining()).toEqual([
    { day: '', plays: 5 },
    { day: '2025-01-01', plays: 7 },
    { day: '2025-01-02', plays: 11 },
  ])
  await runDailyJobs(at('2027-03-01T00:00:00Z'))
  await runDailyJobs(at('2027-03-01T00:00:00Z'))
  expect(await remaining()).toEqual([
    { day: '', plays: 12 },
    { day: '2025-01-02', plays: 11 },
  ])
  expect(await queryRows('SELECT day FROM outbound_clicks')).toEqual([{ day: '2025-01-02' }])
  expect((await queryRow<{ plays: number }>('SELECT plays FROM tracks WHERE id = ?', track.id))?.plays).toBe(23)
})

test('anonymizes city requests after 14 months, deletes after 26', async () => {
  const requestedAt = at('2025-12-31T12:00:00.001Z')
  for (const requester of ['hash-a', 'hash-b'])
    await env.DB.prepare("INSERT INTO city_requests VALUES ('tampa', ?1, 'Tampa', ?2, ?2)")
      .bind(requester, requestedAt)
      .run()
  const requesters = async () =>
    (await queryRows<{ requester: string }>('SELECT requester FROM city_requests')).map(({ requester }) => requester)
  await runDailyJobs(at('2027-02-28T12:00:00.000Z'))
  expect((await requesters()).sort()).toEqual(['hash-a', 'hash-b'])
  await runDailyJobs(at('2027-02-28T12:00:00.001Z'))
  const anonymous = await requesters()
  expect([new Set(anonymous).size, anonymous.every((requester) => /^anonymous:[0-9a-f]{24}$/.test(requester))]).toEqual(
    [2, true],
  )
  await runDailyJobs(at('2028-02-29T12:00:00.000Z'))
  expect(await requesters()).toEqual(anonymous)
  await runDailyJobs(at('2028-02-29T12:00:00.001Z'))
  expect(await requesters()).toEqual([])
})

test('anonymizes the track of old listens, keeping points', async () => {
  const { id } = await addUser({ lastActiveAt: at('2027-12-31T00:00:00Z') })
  const listenedAt = at('2025-12-31T12:00:00.001Z')
  for (const [key, points, delayMs] of [
    ['track_stream:7:20251231', 5, 0],
    ['undo:track_stream:7:20251231', -5, 0],
    ['track_stream:7:20260101', 5, 1],
  ] as const)
    await env.DB.prepare(
      `INSERT INTO ledger (user_id, action, key, description, points, created_at)
       VALUES (?1, 'track_stream', ?2, iif(?3 > 0, 'Listened to “Golden”', 'Taken back: Golden was a robot'), ?3, ?4)`,
    )
      .bind(id, key, points, listenedAt + delayMs)
      .run()
  const history = () =>
    env.DB.prepare('SELECT key, description FROM ledger WHERE user_id = ? ORDER BY id')
      .bind(id)
      .all()
      .then(({ results }) => JSON.stringify(results))
  const before = await history()
  await runDailyJobs(at('2027-02-28T12:00:00.000Z'))
  expect(await history()).toBe(before)
  await runDailyJobs(at('2027-02-28T12:00:00.001Z'))
  const [first] = await queryRows<{ id: number }>(`SELECT min(id) AS id FROM ledger WHERE user_id = ${id}`)
  expect(JSON.parse(await history())).toEqual([
    { key: `track_stream:anonymous:${first?.id}`, description: 'Listened to a track' },
    { key: `undo:track_stream:anonymous:${first?.id}`, description: 'Taken back' },
    { key: 'track_stream:7:20260101', description: 'Listened to “Golden”' },
  ])
  expect(await queryRow('SELECT points FROM users WHERE id = ?', id)).toEqual({ points: 5 })
  await runDailyJobs(at('2028-01-01T00:00:00Z'))
  expect(await history()).not.toMatch(/Golden|:7:/)
})

test('deletes unconfirmed addresses after 30 days, unsubscribed after a year', async () => {
  const unconfirmedSince = at('2026-03-01T00:00:00.000Z')
  const leftAt = at('2024-02-29T10:00:00.000Z')
  await env.DB.prepare(
    `INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, unsubscribed_at, created_at) VALUES
     ('pending-reader', 'w@b.example', 'w@b.example', 'pending', '1', ?1, NULL, 0),
     ('confirmed-reader', 'r@b.example', 'r@b.example', 'confirmed', '1', 0, NULL, 0),
     ('left', 'l@b.example', 'l@b.example', 'unsubscribed', '1', 0, ?2, 0)`,
  )
    .bind(unconfirmedSince, leftAt)
    .run()
  await env.DB.prepare(
    "INSERT INTO show_alerts (id, entry, entry_key, created_at, confirmed_at) VALUES ('pending-alert', 'a', 'a', ?1, NULL), ('confirmed-alert', 'b', 'b', 0, 1)",
  )
    .bind(unconfirmedSince)
    .run()
  const remaining = async () =>
    (
      await queryRows<{ id: string }>('SELECT id FROM subscribers UNION ALL SELECT id FROM show_alerts ORDER BY id')
    ).map(({ id }) => id)
  await runDailyJobs(at('2025-02-28T10:00:00.000Z') - 1)
  expect(await remaining()).toEqual(['confirmed-alert', 'confirmed-reader', 'left', 'pending-alert', 'pending-reader'])
  await runDailyJobs(at('2025-02-28T10:00:00.000Z'))
  await runDailyJobs(unconfirmedSince + 30 * DAY_MS - 1)
  expect(await remaining()).toEqual(['confirmed-alert', 'confirmed-reader', 'pending-alert', 'pending-reader'])
  await runDailyJobs(unconfirmedSince + 30 * DAY_MS)
  expect(await remaining()).toEqual(['confirmed-alert', 'confirmed-reader'])
})

test('removes an entrant’s data from a verse after three years', async () => {
  await env.DB.prepare(
    `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from, voting_until, winner_on, closed_on)
     VALUES ('c', '', '', '', '', '', '', '', '', '')`,
  ).run()
  await env.DB.prepare(
    `INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at, mailbox_key, audio_key, note)
     VALUES ('v', 'c', 'Ana', 'ana@b.example', '+18135550100', ?, 'ana@b.example', 'uploads/up_1', 'Ana is good')`,
  )
    .bind(at('2024-02-29T10:00:00Z'))
    .run()
  const readVerse = () =>
    queryRow(
      'SELECT name, email, phone_number AS phone, mailbox_key AS mailbox, audio_key AS audio, note FROM verse_submissions',
    )
  await runDailyJobs(at('2027-02-28T10:00:00Z') - 1)
  expect(await readVerse()).toEqual({
    name: 'Ana',
    email: 'ana@b.example',
    phone: '+18135550100',
    mailbox: 'ana@b.example',
    audio: 'uploads/up_1',
    note: 'Ana is good',
  })
  await runDailyJobs(at('2027-02-28T10:00:00Z'))
  expect(await readVerse()).toEqual({
    name: 'Deleted',
    email: 'deleted',
    phone: '',
    mailbox: null,
    audio: null,
    note: '',
  })
})

test('clears ballot decision reasons, also audited ones, after a year', async () => {
  await addChallenge('flagged', { finalists: ['ada', 'bo'] })
  const admin = await addUser()
  const decidedAt = at('2024-02-29T10:00:00Z')
  await env.DB.batch(
    [
      "INSERT INTO challenge_ballots (id, challenge_id, finalist_id, cast_at, voter_pseudonym) VALUES (77, 'flagged', 'flagged-ada', 0, 'p')",
      `INSERT INTO ballot_flags (ballot_id, challenge_id, decision, reason, decided_by, decided_at)
       VALUES (77, 'flagged', 'kept', 'Ana B. is a friend', ${admin.id}, ${decidedAt})`,
      ...[
        ['ballot.kept', 'ballot:77', decidedAt],
        ['ballots.kept', 'challenge:flagged', decidedAt],
        ['ballots.kept', 'challenge:flagged', decidedAt + 1],
        ['supporter.banned', 'user:0', decidedAt],
      ].map(
        ([action, subject, when]) =>
          `INSERT INTO audit_log (at, actor_id, action, subject, detail)
           VALUES (${when}, ${admin.id}, '${action}', '${subject}', '{"many":2,"reason":"Ana B."}')`,
      ),
    ].map((sql) => env.DB.prepare(sql)),
  )
  const reasons = async () =>
    (
      await queryRows<{ reason: string }>(
        `SELECT coalesce(json_extract(detail, '$.reason'), '') AS reason FROM audit_log
         WHERE action LIKE 'ballot%' OR action = 'supporter.banned' ORDER BY id`,
      )
    ).map(({ reason }) => reason)
  const flag = () => queryRow('SELECT decision, reason FROM ballot_flags WHERE ballot_id = 77')
  await runDailyJobs(at('2025-02-28T10:00:00Z') - 1)
  expect([await flag(), await reasons()]).toEqual([
    { decision: 'kept', reason: 'Ana B. is a friend' },
    ['Ana B.', 'Ana B.', 'Ana B.', 'Ana B.'],
  ])
  await runDailyJobs(at('2025-02-28T10:00:00Z'))
  expect([await flag(), await reasons()]).toEqual([{ decision: 'kept', reason: '' }, ['', '', 'Ana B.', 'Ana B.']])
})

test('deletes inquiries three years after their answer', async () => {
  const addInquiry = (id: string, answeredAt: number | null) =>
    env.DB.prepare(
      `INSERT INTO privacy_inquiries (id, kind, email, email_key, message, created_at, due_at, answered_at, answer)
       VALUES (?1, 'access', 'a@b.example', 'a@b.example', 'What?', 0, 0, ?2, iif(?2 IS NULL, NULL, 'This.'))`,
    )
      .bind(id, answeredAt)
      .run()
  await addInquiry('open', null)
  await addInquiry('answered', at('2024-02-29T08:00:00Z'))
  await runDailyJobs(at('2027-02-28T08:00:00Z') - 1)
  expect(await queryRows('SELECT id FROM privacy_inquiries ORDER BY id')).toEqual([{ id: 'answered' }, { id: 'open' }])
  await runDailyJobs(at('2027-02-28T08:00:00Z'))
  expect(await queryRows('SELECT id FROM privacy_inquiries')).toEqual([{ id: 'open' }])
})

test('records a failed job and runs the others', async () => {
  const when = at('2026-09-01T00:00:00Z')
  const { DB: failing } = spyOnD1(env.DB, {
    prepared: (sql) => {
      if (sql.includes('FROM city_requests')) throw new Error('D1 is down')
    },
  })
  const error = vi.spyOn(console, 'error').mockReturnValue()
  await runDailyJobs(when, failing)
  expect(error.mock.calls.map(([line]) => JSON.parse(line))).toEqual([
    { at: 'scheduled', job: 'Anonymise analytics', error: 'Error' },
    { at: 'scheduled', job: 'Delete old city requests', error: 'Error' },
  ])
  const states = await queryRows<{ job: string; state: string }>('SELECT job, state FROM job_runs ORDER BY job')
  expect(states.filter(({ state }) => state === 'failed').map(({ job }) => job)).toEqual([
    'Anonymise analytics',
    'Delete old city requests',
  ])
  expect(states.filter(({ state }) => state === 'done').length).toBeGreaterThan(5)
  await runDailyJobs(when + 91 * DAY_MS)
  expect(await queryRows(`SELECT job FROM job_runs WHERE started_at = ${when}`)).toEqual([])
})

test('finds due rows through their indexes', async () => {
  const plan = async (sql: string) =>
    (await queryRows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)).map(({ detail }) => detail)
  expect((await plan('SELECT id FROM users WHERE erased_at IS NULL AND last_active_at <= 5')).join()).toContain(
    'users_by_activity',
  )
  expect((await plan('SELECT 1 FROM city_requests WHERE created_at <= 5')).join()).toContain('city_requests_age')
})

test('retries failed or missed jobs within the hour', async () => {
  const when = at('2026-10-01T07:30:00Z')
  await env.DB.prepare('DELETE FROM job_runs').run()
  await runDailyJobs(when)
  await env.DB.batch([
    env.DB.prepare("UPDATE job_runs SET state = 'failed' WHERE job = 'Delete old inquiries'"),
    env.DB.prepare("DELETE FROM job_runs WHERE job IN ('Delete old orders', 'Send inquiry reminders')"),
  ])
  const runFiveMinuteJobs = (delayMs: number) =>
    worker.scheduled({ scheduledTime: when + delayMs, cron: '*/5 * * * *' } as ScheduledController, env as never)
  const countDone = async () =>
    (await queryRows<{ n: number }>("SELECT count(*) AS n FROM job_runs WHERE state = 'done'"))[0]?.n
  const jobCount = ((await countDone()) ?? 0) + 3
  await runFiveMinuteJobs(5 * 60_000)
  expect(await countDone()).toBe(jobCount - 3)
  await runFiveMinuteJobs(30 * 60_000)
  expect(await countDone()).toBe(jobCount)
  expect(await queryRows(`SELECT 1 FROM job_runs WHERE started_at <> ${when}`)).toEqual([])
})
