import { env } from 'cloudflare:test'
import { asc, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { callerBinds } from '../auth/sessions'
import { DAY_MS, HOUR_MS, zonedTimeToUtc } from '../lib/clock'
import { ledger } from '../points/points.table'
import { errorOf, send } from '../testing/client'
import { addUser, db, pointsOf, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { sessionFor } from '../testing/users'
import { INSERT_POLL } from './polls'
import { pollOptions, polls } from './polls.table'

beforeAll(() => seedSite(env.DB))

const toOptions = (...names: string[]) => names.map((title) => ({ title }))
const TWO_OPTIONS = toOptions('This', 'That')

async function newSupporter() {
  const user = await addUser()
  const { headers } = await sessionFor(user, NOON)
  const create = (json: unknown, options = {}) => send('POST', '/api/polls', json, { at: NOON, headers, ...options })
  const ownPolls = () => db.select().from(polls).where(eq(polls.createdBy, user.id)).orderBy(asc(polls.createdAt))
  return { user, create, ownPolls }
}

test('creates a poll for a week and awards points', async () => {
  const { user, create, ownPolls } = await newSupporter()
  const options = [
    { title: '  The \u0000single ', description: 'Long' },
    { title: '' },
    { title: 'The album' },
    { title: '   ' },
  ]
  const response = await create({ title: ' Which one?\n', description: 'Say.', options })
  expect(response.status).toBe(201)
  const created = await response.json<{ id: string }>()
  expect(created).toEqual({
    id: expect.stringMatching(/^poll_[\w-]{20}$/),
    pointsAwarded: 25,
    totalPoints: 25,
    missions: [],
  })
  const [poll] = await ownPolls()
  expect(poll).toMatchObject({
    id: created.id,
    title: 'Which one?',
    description: 'Say.',
    endsAt: NOON + 7 * DAY_MS,
    hiddenAt: null,
  })
  const rows = await db
    .select()
    .from(pollOptions)
    .where(eq(pollOptions.pollId, created.id))
    .orderBy(asc(pollOptions.position))
  expect(rows.map(({ title, votes }) => [title, votes])).toEqual([
    ['The single', 0],
    ['The album', 0],
  ])
  const [row] = await db.select().from(ledger).where(eq(ledger.userId, user.id))
  expect([row?.key, row?.description]).toEqual(['poll_created:20260701', 'Created “Which one?”'])
})

test.each([
  [{ options: TWO_OPTIONS }, 'Please enter a title for your poll.'],
  [{ title: 7, options: TWO_OPTIONS }, 'The title must be text.'],
  [{ title: ' \u0007 ', options: TWO_OPTIONS }, 'Please enter a title for your poll.'],
  [{ title: 'x'.repeat(141), options: TWO_OPTIONS }, 'The title must be at most 140 characters.'],
  [
    { title: 'T', description: 'x'.repeat(501), options: TWO_OPTIONS },
    'The description must be at most 500 characters.',
  ],
  [{ title: 'T' }, 'Please provide at least 2 poll options.'],
  [{ title: 'T', options: [] }, 'Please provide at least 2 poll options.'],
  [{ title: 'T', options: toOptions('One', ' ', '') }, 'Please provide at least 2 poll options.'],
  [{ title: 'T', options: toOptions('One', 'x'.repeat(81)) }, 'An option must be at most 80 characters.'],
  [
    { title: 'T', options: toOptions(...Array.from({ length: 21 }, (_, i) => `${i}`)) },
    'A poll has at most 20 options.',
  ],
  [
    { title: 'T', options: toOptions('Tampa  Bay', 'ｔampa bay') },
    'Two of the options are the same. Please make each one different.',
  ],
  [
    { title: 'T', options: TWO_OPTIONS, endDate: '2020-01-01T00:00:00Z' },
    'That request contains an unknown field: endDate.',
  ],
  [{ title: 'T', options: TWO_OPTIONS, points: 9999 }, 'That request contains an unknown field: points.'],
])('rejects %j', async (json, message) => {
  const { create, ownPolls } = await newSupporter()
  expect(await errorOf(await create(json))).toEqual([400, 'bad_input', message])
  expect(await ownPolls()).toEqual([])
})

test('accepts the maximum number of options and text lengths', async () => {
  const { create } = await newSupporter()
  const options = toOptions(...Array.from({ length: 20 }, (_, i) => String(i).padEnd(80, 'x')))
  expect((await create({ title: 'x'.repeat(140), options })).status).toBe(201)
})

test('limits polls per day and rewards the first', async () => {
  const { user, create, ownPolls } = await newSupporter()
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => create({ title: `Poll ${i}`, options: TWO_OPTIONS })),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(17).fill(429)])
  const rejected = responses.find(({ status }) => status === 429)
  // Noon in New York: twelve hours until the artist's next day.
  expect(rejected?.headers.get('retry-after')).toBe(String(12 * 60 * 60))
  expect(await rejected?.text()).toBe('You can make 3 polls a day. Please come back tomorrow.')
  expect([(await ownPolls()).length, await pointsOf(user.id)]).toEqual([3, 25])
})

test('awards points once per calendar day of the artist', async () => {
  const { user, create } = await newSupporter()
  const midnight = zonedTimeToUtc('2026-07-02', '00:00', 'America/New_York')
  const pointsAt = async (time: number, title: string) =>
    (await (await create({ title, options: TWO_OPTIONS }, { at: time })).json<{ pointsAwarded: number }>())
      .pointsAwarded
  expect([
    await pointsAt(midnight - 1, 'A'),
    await pointsAt(midnight, 'B'),
    await pointsAt(midnight + 20 * HOUR_MS, 'C'),
  ]).toEqual([25, 25, 0])
  expect(await pointsOf(user.id)).toBe(50)
})

test.each([
  ['2026-03-08', 23],
  ['2026-11-01', 25],
])('limits polls on %s, a day of %i hours', async (date, hours) => {
  const { user, create } = await newSupporter()
  const midnight = zonedTimeToUtc(date, '00:00', 'America/New_York')
  const nextMidnight = midnight + hours * HOUR_MS
  const statusAt = async (time: number) => {
    const { headers } = await sessionFor(user, time)
    return (await create({ title: `At ${time}`, options: TWO_OPTIONS }, { at: time, headers })).status
  }
  expect([
    await statusAt(midnight),
    await statusAt(midnight + 12 * HOUR_MS),
    await statusAt(nextMidnight - HOUR_MS),
    await statusAt(nextMidnight - 1),
  ]).toEqual([201, 201, 201, 429])
  expect([await statusAt(nextMidnight), await pointsOf(user.id)]).toEqual([201, 50])
})

test('creates a poll once when the client retries', async () => {
  const { user, create, ownPolls } = await newSupporter()
  // The third round trip is the batch that creates the poll. Its response is lost.
  const { DB } = spyOnD1(env.DB, {
    after: (trip) => {
      if (trip === 3) throw new Error('D1_ERROR: Network connection lost.')
    },
  })
  const poll = { title: 'Once', options: TWO_OPTIONS }
  expect((await create(poll, { env: { DB } })).status).toBe(500)
  expect(await errorOf(await create(poll))).toEqual([409, 'conflict', 'You have already asked this today.'])
  expect([(await ownPolls()).length, await pointsOf(user.id)]).toEqual([1, 25])
})

test('stores nothing of a poll when the database fails', async () => {
  const { user, create, ownPolls } = await newSupporter()
  // A trigger rejects the last option, which rolls back the poll.
  await env.DB.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON poll_options WHEN NEW.title = 'broken' BEGIN SELECT RAISE(ABORT, 'broken'); END",
  )
  expect((await create({ title: 'Half', options: toOptions('whole', 'broken') })).status).toBe(500)
  await env.DB.exec('DROP TRIGGER broken')
  expect([await ownPolls(), await pointsOf(user.id)]).toEqual([[], 0])
})

test('requires a session to create a poll', async () => {
  expect(await errorOf(await send('POST', '/api/polls', { title: 'T', options: TWO_OPTIONS }))).toEqual([
    401,
    'signed_out',
    'Please sign up or login to create a poll',
  ])
})

test('counts today’s polls by index', async () => {
  const plan = await queryPlan({ sql: INSERT_POLL, params: [...callerBinds(null), 'p', 't', 1, 1, 'k', '', 1] })
  expect(plan.filter((step) => step.includes('polls')).length).toBe(2)
  for (const step of plan.filter((step) => step.includes('polls')))
    expect(step).toContain('INDEX polls_by_creator (created_by=? AND created_at>?)')
})
