import { env } from 'cloudflare:test'
import { beforeEach, expect, test, vi } from 'vitest'
import { openDb } from '../db/client'
import worker from '../index'
import { DAY_MS } from '../lib/clock'
import { limits } from '../limits'
import { DAILY_JOBS } from '../schedule'
import { emailsTo } from '../testing/emails'
import { addUser } from '../testing/fixtures'
import { addStripeOrder } from '../testing/payments'
import { migrations } from '../testing/sources'
import { runSql } from '../testing/stores'
import { eraseInactiveUsers, warnInactiveUsers } from './inactivity'

const at = (iso: string) => Date.parse(iso)
const runDailyJobs = (when: number) => worker.scheduled({ scheduledTime: when } as ScheduledController, env as never)
const runFiveMinuteJobs = (when: number) =>
  worker.scheduled({ scheduledTime: when, cron: '*/5 * * * *' } as ScheduledController, env as never)
const erasedAt = (id: number) => env.DB.prepare('SELECT erased_at FROM users WHERE id = ?').bind(id).first('erased_at')

/**
 * Sets the delivery state of waiting warnings; `when` is the time of delivery if the state is `sent`. A `failed` one
 * was rejected by the mailbox, or never got through if its `attempts` are the maximum.
 */
const setWarningState = (state: string, when: number, attempts = 1) =>
  runSql(
    "UPDATE outbox SET state = ?1, sent_at = iif(?1 = 'sent', ?2, NULL), attempts = ?3 WHERE kind = 'inactive' AND state = 'waiting'",
    state,
    when,
    attempts,
  )

beforeEach(async () => {
  for (const table of ['outbox', 'job_runs']) await runSql(`DELETE FROM ${table}`)
})

let userCount = 0
const addInactiveUser = (since: string, row: Parameters<typeof addUser>[0] = {}) => {
  const name = `silent${++userCount}`
  return addUser({
    username: name,
    email: `${name}@mail.example`,
    lastActiveAt: at(since),
    ...row,
  })
}

test('warns once, 30 days before three years of inactivity', async () => {
  const { email } = await addInactiveUser('2024-02-29T10:00:00.500Z')
  await runDailyJobs(at('2027-01-29T10:00:00.499Z'))
  expect(await emailsTo(email!)).toEqual([])
  const dueAt = at('2027-01-29T10:00:00.500Z')
  await Promise.all([runDailyJobs(dueAt), runDailyJobs(dueAt)])
  await runDailyJobs(at('2027-01-30T07:30:00Z'))
  const [warning, ...otherEmails] = await emailsTo(email!)
  expect([warning?.kind, warning?.text.includes('on February 28, 2027'), otherEmails]).toEqual(['inactive', true, []])
})

test('erases 30 days after an unanswered warning', async () => {
  const { id } = await addInactiveUser('2024-02-29T10:00:00.500Z')
  const warnedAt = at('2027-01-29T10:00:00.500Z')
  await runDailyJobs(warnedAt)
  await setWarningState('sent', warnedAt)
  await runDailyJobs(at('2027-02-28T10:00:00.499Z'))
  expect(await erasedAt(id)).toBeNull()
  await runDailyJobs(at('2027-02-28T10:00:00.500Z'))
  expect(await erasedAt(id)).toBe(at('2027-02-28T10:00:00.500Z'))
})

test('a late warning delays the erasure by 30 days', async () => {
  const { id, email } = await addInactiveUser('2023-01-01T00:00:00Z')
  await runDailyJobs(at('2027-05-01T00:00:00Z'))
  expect((await emailsTo(email!))[0]?.text).toContain('on May 31, 2027')
  await setWarningState('sent', at('2027-05-01T05:00:00Z'))
  await runDailyJobs(at('2027-05-31T04:59:59.999Z'))
  expect(await erasedAt(id)).toBeNull()
  await runDailyJobs(at('2027-05-31T05:00:00Z'))
  expect(await erasedAt(id)).not.toBeNull()
})

const deps = {
  db: openDb(env.DB),
  files: env.FILES,
  sessions: env.SESSIONS,
  secret: 'x'.repeat(32),
  origin: 'http://a.b',
}
/** Runs the two inactivity jobs, `week` weeks after May 1, 2027, then sets the delivery state of the warning. */
const runWeek = async (week: number, deliveryState: string | null, attempts = 1) => {
  const when = at('2027-05-01T00:00:00Z') + week * 7 * DAY_MS
  await warnInactiveUsers(deps, when)
  await eraseInactiveUsers(deps, when)
  if (deliveryState) await setWarningState(deliveryState, when, attempts)
}

test('repeats undelivered warnings weekly and erases no account', async () => {
  const { id, email } = await addInactiveUser('2023-01-01T00:00:00Z')
  for (let week = 0; week < 6; week++) await runWeek(week, null)
  expect((await emailsTo(email!)).length).toBe(1)
  for (let week = 6; week < 12; week++) await runWeek(week, 'failed', limits.maxEmailAttempts)
  expect([await erasedAt(id), (await emailsTo(email!)).length]).toEqual([null, 6])
})

test('erases after three rejected warnings if other mail is delivered', async () => {
  const { id, email } = await addInactiveUser('2023-01-01T00:00:00Z')
  for (let week = 0; week < 8; week++) await runWeek(week, week === 1 ? 'unknown' : 'failed')
  expect([await erasedAt(id), (await emailsTo(email!)).length]).toEqual([null, 3])
  await runSql(
    `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, state, created_at, sent_at)
     VALUES ('m', 'm', 'verify', 'b@c.example', 's', '', '', 'sent', ?1, ?1)`,
    at('2027-05-01T00:00:00Z') + 50 * DAY_MS,
  )
  await runWeek(8, 'failed')
  expect(await erasedAt(id)).toBe(at('2027-05-01T00:00:00Z') + 56 * DAY_MS)
})

test('a login after the warning restarts the three years', async () => {
  const { id, email } = await addInactiveUser('2024-03-01T00:00:00Z')
  await runDailyJobs(at('2027-02-01T00:00:00Z'))
  await setWarningState('sent', at('2027-02-01T00:00:00Z'))
  await runSql('UPDATE users SET last_active_at = ? WHERE id = ?', at('2027-02-02T00:00:00Z'), id)
  await runDailyJobs(at('2027-04-01T00:00:00Z'))
  expect(await erasedAt(id)).toBeNull()
  await runSql('DELETE FROM outbox')
  await runDailyJobs(at('2030-01-15T00:00:00Z'))
  expect(await emailsTo(email!)).toHaveLength(1)
})

test('keeps the last owner, demo logins and active users', async () => {
  const owner = await addInactiveUser('2020-01-01T00:00:00Z', { role: 'administrator' })
  const demo = await addInactiveUser('2020-01-01T00:00:00Z', { isDemoLogin: true })
  const activeUser = await addInactiveUser('2027-01-01T00:00:00Z')
  const withoutEmail = await addInactiveUser('2020-01-01T00:00:00Z', { email: null })
  await runDailyJobs(at('2027-06-01T00:00:00Z'))
  await setWarningState('sent', at('2027-06-01T00:00:00Z'))
  await runDailyJobs(at('2027-08-01T00:00:00Z'))
  expect(await Promise.all([owner, demo, activeUser, withoutEmail].map(({ id }) => erasedAt(id)))).toEqual([
    null,
    null,
    null,
    at('2027-06-01T00:00:00Z'),
  ])
})

test('keeps users with a paid tier or an open order', async () => {
  const payer = await addInactiveUser('2020-01-01T00:00:00Z', { tier: 'silver' })
  const pastDueMember = await addInactiveUser('2020-01-01T00:00:00Z')
  const buyer = await addInactiveUser('2020-01-01T00:00:00Z')
  const deliveredBuyer = await addInactiveUser('2020-01-01T00:00:00Z')
  await runSql(
    "INSERT INTO subscriptions (id, user_id, tier, status, as_of) VALUES ('s', ?, 'gold', 'past_due', 0)",
    pastDueMember.id,
  )
  await runSql(
    "INSERT INTO products (id, slug, name, description, price_cents, stock, position) VALUES ('mug', 'mug', 'A mug', '', 500, 9, 9)",
  )
  for (const [{ id }, fulfilment] of [
    [buyer, 'packed'],
    [deliveredBuyer, 'delivered'],
  ] as const)
    await runSql(
      `INSERT INTO orders (id, product_id, quantity, unit_price_cents, amount_cents, status, created_at, paid_at, user_id, email, fulfilment)
       VALUES ('order' || ?1, 'mug', 1, 500, 500, 'paid', 0, 0, ?1, 'b@c.example', ?2)`,
      id,
      fulfilment,
    )
  await runDailyJobs(at('2027-06-01T00:00:00Z'))
  await setWarningState('sent', at('2027-06-01T00:00:00Z'))
  await runDailyJobs(at('2027-08-01T00:00:00Z'))
  expect(await Promise.all([payer, pastDueMember, buyer, deliveredBuyer].map(({ id }) => erasedAt(id)))).toEqual([
    null,
    null,
    null,
    at('2027-08-01T00:00:00Z'),
  ])
  expect(await emailsTo(payer.email!)).toEqual([])
})

test('erases many inactive users in batches, also concurrently', async () => {
  await runSql(
    `INSERT INTO users (username, username_key, created_at, last_active_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
     SELECT 'load-user' || i, 'load-user' || i, 0, ?1 FROM n`,
    at('2021-01-01T00:00:00Z'),
  )
  const when = at('2027-06-02T07:30:00Z')
  const remaining = () =>
    env.DB.prepare("SELECT count(*) AS n FROM users WHERE username_key LIKE 'load-user%'").first<number>('n')
  const readJobRun = () =>
    env.DB.prepare("SELECT state, affected FROM job_runs WHERE job = 'Erase inactive accounts' AND started_at = ?")
      .bind(when)
      .first()
  await runDailyJobs(when)
  expect([await remaining(), await readJobRun()]).toEqual([10, { state: 'more', affected: 50 }])
  await Promise.all([runFiveMinuteJobs(when + 300_000), runFiveMinuteJobs(when + 300_000)])
  await runFiveMinuteJobs(when + 600_000)
  expect(await remaining()).toBe(0)
  expect(await readJobRun()).toMatchObject({ state: 'done' })
  await runFiveMinuteJobs(when + 900_000)
  expect(await env.DB.prepare('SELECT count(*) AS n FROM job_runs').first('n')).toBe(DAILY_JOBS.length)
})

/** Runs the daily jobs and returns the errors that they log. */
async function errorsOfDailyJobs(when: number): Promise<unknown[]> {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  await runDailyJobs(when)
  const errors = error.mock.calls.map(([line]) => JSON.parse(line))
  error.mockRestore()
  return errors
}

test('failed erasures do not block others and are retried daily', async () => {
  const failing: number[] = []
  for (let n = 0; n < 7; n++) failing.push((await addInactiveUser('2020-01-01T00:00:00Z', { email: null })).id)
  const erasable = await addInactiveUser('2020-01-02T00:00:00Z', { email: null })
  await runSql(
    `CREATE TRIGGER stuck BEFORE UPDATE OF erased_at ON users WHEN OLD.id IN (${failing}) BEGIN SELECT RAISE(ABORT, 'stuck'); END`,
  )
  const errors = await errorsOfDailyJobs(at('2027-06-03T00:00:00Z'))
  await runSql('DROP TRIGGER stuck')
  expect([await erasedAt(failing[0]!), await erasedAt(erasable.id)]).toEqual([null, at('2027-06-03T00:00:00Z')])
  expect(errors).toEqual([{ at: 'scheduled', job: 'Erase inactive accounts', error: 'Error' }])
  await runDailyJobs(at('2027-06-04T00:00:00Z'))
  expect(await Promise.all(failing.map(erasedAt))).toEqual(failing.map(() => at('2027-06-04T00:00:00Z')))
})

test('erases unconfirmed accounts after a week without visits', async () => {
  const visitedAt = at('2026-07-01T10:00:00Z')
  const addUnconfirmed = (row: Parameters<typeof addUser>[0] = {}) =>
    addInactiveUser('2026-07-01T10:00:00Z', { emailVerifiedAt: null, ...row })
  const abandoned = await addUnconfirmed()
  const buyer = await addUnconfirmed()
  const redeemer = await addUnconfirmed()
  await runSql(
    `INSERT INTO download_code_batches (id, name, good, size, created_at) VALUES ('cards', 'Cards', 'track:1', 1, 0)`,
  )
  await runSql(
    `INSERT INTO download_codes (hash, batch_id, position, key_hash, redeemed_at, user_id) VALUES ('h', 'cards', 1, 'k', 1, ${redeemer.id})`,
  )
  const confirmed = await addUnconfirmed({ emailVerifiedAt: 1 })
  const withoutEmail = await addUnconfirmed({ email: null })
  // Shipped: the payment must protect the account, not an open order.
  const times = { createdAt: visitedAt, paidAt: visitedAt, shippedAt: visitedAt }
  await addStripeOrder({ userId: buyer.id, status: 'paid', held: 0, fulfilment: 'shipped', ...times })
  // One day more than a week, because a session records visits once a day.
  await runDailyJobs(visitedAt + 8 * DAY_MS - 1)
  expect(await erasedAt(abandoned.id)).toBe(null)
  await runDailyJobs(visitedAt + 8 * DAY_MS)
  expect(await erasedAt(abandoned.id)).toBe(visitedAt + 8 * DAY_MS)
  for (const { id, email } of [buyer, redeemer, confirmed, withoutEmail])
    expect([email, await erasedAt(id)]).toEqual([email, null])
  expect(await emailsTo(abandoned.email!)).toEqual([])
})

test('the job of unconfirmed accounts reports its own failures', async () => {
  const { id } = await addInactiveUser('2027-06-05T00:00:00Z', { emailVerifiedAt: null })
  await runSql(
    `CREATE TRIGGER stuck BEFORE UPDATE OF erased_at ON users WHEN OLD.id = ${id} BEGIN SELECT RAISE(ABORT, 'stuck'); END`,
  )
  const errors = await errorsOfDailyJobs(at('2027-06-20T00:00:00Z'))
  await runSql('DROP TRIGGER stuck')
  expect(errors).toEqual([{ at: 'scheduled', job: 'Erase unconfirmed accounts', error: 'Error' }])
  await runDailyJobs(at('2027-06-21T00:00:00Z'))
  expect(await erasedAt(id)).toBe(at('2027-06-21T00:00:00Z'))
})

test('existing unconfirmed accounts have a week from the migration', async () => {
  const now = Date.now()
  const old = await addInactiveUser('2024-01-01T00:00:00Z', { emailVerifiedAt: null })
  const confirmed = await addInactiveUser('2026-01-01T00:00:00Z')
  const migration = migrations.find(({ path }) => path.includes('0041_'))
  await runSql(migration!.text.split('--> statement-breakpoint').at(-1)!)
  const lastActiveAt = 'SELECT last_active_at FROM users WHERE id = ?'
  expect(await env.DB.prepare(lastActiveAt).bind(confirmed.id).first('last_active_at')).toBe(at('2026-01-01T00:00:00Z'))
  await runDailyJobs(now + 7 * DAY_MS)
  expect(await erasedAt(old.id)).toBeNull()
  await runDailyJobs(now + 9 * DAY_MS)
  expect(await erasedAt(old.id)).toBe(now + 9 * DAY_MS)
})

test('jobs request no further batch for accounts not yet due', async () => {
  await runSql('UPDATE users SET erased_at = 0')
  await runSql(
    `INSERT INTO users (username, username_key, email, email_key, created_at, last_active_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
     SELECT 'early' || i, 'early' || i, iif(i > 5, i || '@mail.example', NULL), iif(i > 5, i || '@mail.example', NULL), 0, ?1 FROM n`,
    at('2024-01-03T00:00:00Z'),
  )
  await addInactiveUser('2024-01-01T00:00:00Z')
  const warningDue = at('2027-01-01T00:00:00Z') - 30 * DAY_MS
  expect(await warnInactiveUsers(deps, warningDue)).toEqual({ affected: 1, more: false })
  expect(await eraseInactiveUsers(deps, at('2027-01-02T00:00:00Z'))).toEqual({ affected: 0, more: false })
})
