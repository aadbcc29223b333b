import { env } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import worker from '../index'
import { DAY } from '../lib/clock'
import { mailsTo } from '../testing/mails'
import { addTrack, addUser } from '../testing/rows'

const at = (iso: string) => Date.parse(iso)
const daily = (when: number, DB = env.DB) =>
  worker.scheduled({ scheduledTime: when } as ScheduledController, { ...env, DB } as never)
const one = <T>(sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .first<T>()
const rows = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results

const erasedAt = async (id: number) =>
  (await one<{ erased_at: number | null }>('SELECT erased_at FROM users WHERE id = ?', id))?.erased_at

beforeEach(async () => {
  await env.DB.batch(
    ['outbox', 'city_requests', 'privacy_inquiries', 'job_runs'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  )
})

let names = 0
const silent = (since: string, more: Parameters<typeof addUser>[0] = {}) => {
  const name = `silent${++names}`
  return addUser({
    username: name,
    usernameKey: name,
    email: `${name}@mail.example`,
    emailKey: `${name}@mail.example`,
    lastActiveAt: at(since),
    ...more,
  })
}

test('an account is warned thirty days before its three years are over, once, to the millisecond', async () => {
  const { email } = await silent('2024-02-29T10:00:00.500Z')
  await daily(at('2027-01-29T10:00:00.499Z'))
  expect(await mailsTo(email!)).toEqual([])
  await daily(at('2027-01-29T10:00:00.500Z'))
  await daily(at('2027-01-30T07:30:00Z'))
  const [mail, ...more] = await mailsTo(email!)
  expect([mail?.kind, mail?.text.includes('on February 28, 2027'), more]).toEqual(['inactive', true, []])
})

test('it is erased thirty days after, when nobody came, to the millisecond', async () => {
  const { id } = await silent('2024-02-29T10:00:00.500Z')
  await daily(at('2027-01-29T10:00:00.500Z'))
  await daily(at('2027-02-28T10:00:00.499Z'))
  expect(await erasedAt(id)).toBeNull()
  await daily(at('2027-02-28T10:00:00.500Z'))
  expect(await erasedAt(id)).toBe(at('2027-02-28T10:00:00.500Z'))
})

test('a warning that came late puts the end off: nobody is erased within thirty days of it', async () => {
  const { id, email } = await silent('2023-01-01T00:00:00Z')
  await daily(at('2027-05-01T00:00:00Z'))
  expect((await mailsTo(email!))[0]?.text).toContain('on May 31, 2027')
  await daily(at('2027-05-30T23:59:59.999Z'))
  expect(await erasedAt(id)).toBeNull()
  await daily(at('2027-05-31T00:00:00Z'))
  expect(await erasedAt(id)).not.toBeNull()
})

test('who logs in after the warning stays, and is warned again three years later', async () => {
  const { id, email } = await silent('2024-03-01T00:00:00Z')
  await daily(at('2027-02-01T00:00:00Z'))
  await env.DB.prepare('UPDATE users SET last_active_at = ? WHERE id = ?').bind(at('2027-02-02T00:00:00Z'), id).run()
  await daily(at('2027-04-01T00:00:00Z'))
  expect(await erasedAt(id)).toBeNull()
  await daily(at('2030-01-15T00:00:00Z'))
  expect(await mailsTo(email!)).toHaveLength(2)
})

test('the last administrator, demo log-ins and whoever is in use are not erased', async () => {
  const admin = await silent('2020-01-01T00:00:00Z', { role: 'administrator' })
  const demo = await silent('2020-01-01T00:00:00Z', { isDemoLogin: true })
  const fresh = await silent('2027-01-01T00:00:00Z')
  const nameless = await silent('2020-01-01T00:00:00Z', { email: null, emailKey: null })
  await daily(at('2027-06-01T00:00:00Z'))
  await daily(at('2027-08-01T00:00:00Z'))
  expect(await Promise.all([admin, demo, fresh, nameless].map(({ id }) => erasedAt(id)))).toEqual([
    null,
    null,
    null,
    at('2027-06-01T00:00:00Z'),
  ])
})

test('a crowd that fell silent together is erased in one run, and two runs at once do no harm', async () => {
  await env.DB.prepare(
    `INSERT INTO users (username, username_key, created_at, last_active_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
     SELECT 'crowd' || i, 'crowd' || i, 0, ?1 FROM n`,
  )
    .bind(at('2021-01-01T00:00:00Z'))
    .run()
  const when = at('2027-06-02T00:00:00Z')
  await Promise.all([daily(when), daily(when)])
  const left = await one<{ n: number }>("SELECT count(*) AS n FROM users WHERE username_key LIKE 'crowd%'")
  expect(left?.n).toBe(0)
  expect(await rows("SELECT state FROM job_runs WHERE job = 'Erase accounts that stayed silent'")).toEqual([
    { state: 'done' },
  ])
})

test('days of plays go after 26 months and the total stays; the clicks of those days go with them', async () => {
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
  await daily(at('2027-03-01T00:00:00Z') - 1)
  const kept = () => rows('SELECT day, plays FROM track_days ORDER BY day')
  expect(await kept()).toEqual([
    { day: '', plays: 5 },
    { day: '2025-01-01', plays: 7 },
    { day: '2025-01-02', plays: 11 },
  ])
  await daily(at('2027-03-01T00:00:00Z'))
  await daily(at('2027-03-01T00:00:00Z'))
  expect(await kept()).toEqual([
    { day: '', plays: 12 },
    { day: '2025-01-02', plays: 11 },
  ])
  expect(await rows('SELECT day FROM outbound_clicks')).toEqual([{ day: '2025-01-02' }])
  expect((await one<{ plays: number }>('SELECT plays FROM tracks WHERE id = ?', track.id))?.plays).toBe(23)
})

test('city requests lose their link to a person after 14 months, still count, and go after 26', async () => {
  const asked = at('2025-12-31T12:00:00.001Z')
  for (const requester of ['hash-a', 'hash-b'])
    await env.DB.prepare("INSERT INTO city_requests VALUES ('tampa', ?, 'Tampa', ?)").bind(requester, asked).run()
  const requesters = async () =>
    (await rows<{ requester: string }>('SELECT requester FROM city_requests')).map(({ requester }) => requester)
  await daily(at('2027-02-28T12:00:00.000Z'))
  expect((await requesters()).sort()).toEqual(['hash-a', 'hash-b'])
  await daily(at('2027-02-28T12:00:00.001Z'))
  const anonymous = await requesters()
  expect([new Set(anonymous).size, anonymous.every((it) => /^anonymous:[0-9a-f]{24}$/.test(it))]).toEqual([2, true])
  await daily(at('2028-02-29T12:00:00.000Z'))
  expect(await requesters()).toEqual(anonymous)
  await daily(at('2028-02-29T12:00:00.001Z'))
  expect(await requesters()).toEqual([])
})

test('an inquiry goes three years after its answer; an open one stays', async () => {
  const add = (id: string, answeredAt: number | null) =>
    env.DB.prepare(
      `INSERT INTO privacy_inquiries VALUES (?1, 'access', 'a@b.example', 'a@b.example', 'What?', 0, 0, ?2, iif(?2 IS NULL, NULL, 'This.'))`,
    )
      .bind(id, answeredAt)
      .run()
  await add('open', null)
  await add('answered', at('2024-02-29T08:00:00Z'))
  await daily(at('2027-02-28T08:00:00Z') - 1)
  expect(await rows('SELECT id FROM privacy_inquiries ORDER BY id')).toEqual([{ id: 'answered' }, { id: 'open' }])
  await daily(at('2027-02-28T08:00:00Z'))
  expect(await rows('SELECT id FROM privacy_inquiries')).toEqual([{ id: 'open' }])
})

test('a job that fails is written down as failed and stops no other', async () => {
  const when = at('2026-09-01T00:00:00Z')
  const broken = new Proxy(env.DB, {
    get(target, name) {
      if (name === 'prepare')
        return (sql: string) => {
          if (sql.includes('FROM city_requests')) throw new Error('D1 is away')
          return target.prepare(sql)
        }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const errors: unknown[] = []
  const before = console.error
  console.error = (line) => errors.push(JSON.parse(line))
  await daily(when, broken).finally(() => {
    console.error = before
  })
  expect(errors).toEqual([
    { at: 'scheduled', job: 'Anonymise analytics', error: 'Error' },
    { at: 'scheduled', job: 'Delete old city requests', error: 'Error' },
  ])
  const states = await rows<{ job: string; state: string }>('SELECT job, state FROM job_runs ORDER BY job')
  expect(states.filter(({ state }) => state === 'failed').map(({ job }) => job)).toEqual([
    'Anonymise analytics',
    'Delete old city requests',
  ])
  expect(states.filter(({ state }) => state === 'done').length).toBeGreaterThan(5)
  await daily(when + 91 * DAY)
  expect(await rows(`SELECT job FROM job_runs WHERE started_at = ${when}`)).toEqual([])
})

test('what is due is found through its index', async () => {
  const plan = async (sql: string) =>
    (await rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)).map((it) => it.detail)
  expect((await plan('SELECT id FROM users WHERE erased_at IS NULL AND last_active_at <= 5')).join()).toContain(
    'users_by_activity',
  )
  expect((await plan('SELECT 1 FROM city_requests WHERE created_at <= 5')).join()).toContain('city_requests_age')
})
