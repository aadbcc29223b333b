import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { revokeSession } from '../auth/sessions'
import { POINTS } from '../contract/points'
import { VoteAward } from '../contract/polls'
import { HOUR_MS } from '../lib/clock'
import { limits } from '../limits'
import { errorOf, send, statusAndCodeOf } from '../testing/client'
import { addUser, db, pointsOf, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1, staleKV } from '../testing/stores'
import { sessionFor } from '../testing/users'
import { pollOptions, polls } from './polls.table'
import { INSERT_MAILBOXES, INSERT_VOTES, serializeVotes, VOTE_OUTCOMES } from './vote'

const POLL_ENDS = NOON + HOUR_MS

async function addPoll(id: string, row: Partial<typeof polls.$inferInsert> = {}) {
  await db.insert(polls).values({ id, title: `Poll ${id}`, endsAt: POLL_ENDS, createdAt: 0, ...row })
  const option = (name: string, position: number) => ({ id: `${id}-${name}`, pollId: id, title: name, position })
  await db.insert(pollOptions).values([option('a', 1), option('b', 2)])
}

beforeAll(async () => {
  await seedSite(env.DB)
  for (const id of ['one', 'two', 'three']) await addPoll(id)
  await addPoll('hidden', { hiddenAt: 1 })
})

type Options = NonNullable<Parameters<typeof send>[3]>
async function newSupporter() {
  const user = await addUser()
  const { headers, session } = await sessionFor(user, NOON)
  const vote = (poll: string, optionId: unknown, { headers: extraHeaders, ...options }: Options = {}) =>
    send(
      'POST',
      `/api/polls/${poll}/vote`,
      { optionId },
      { at: NOON, headers: { ...headers, ...extraHeaders }, ...options },
    )
  return { user, session, vote }
}

const votesOf = async (poll: string) =>
  (await db.select().from(pollOptions)).filter(({ pollId }) => pollId === poll).map(({ votes }) => votes)

test('counts a vote and awards points', async () => {
  const { user, vote } = await newSupporter()
  const response = await vote('one', 'one-b')
  expect(response.status).toBe(200)
  const earned = await response.json()
  expect(VoteAward.parse(earned)).toEqual(earned)
  expect(earned).toEqual({
    pointsAwarded: POINTS.poll_vote,
    totalPoints: POINTS.poll_vote,
    missions: [],
    counted: true,
  })
  expect([await votesOf('one'), await pointsOf(user.id)]).toEqual([[0, 1], 10])
})

test('rejects a second vote', async () => {
  const { user, vote } = await newSupporter()
  await vote('two', 'two-a')
  const before = await votesOf('two')
  for (const option of ['two-a', 'two-b', 'one-a', 'none'])
    expect(await errorOf(await vote('two', option))).toEqual([
      409,
      'already_voted',
      'You may have already voted in this poll',
    ])
  expect([await votesOf('two'), await pointsOf(user.id)]).toEqual([before, 10])
})

test('accepts votes until the end, to the millisecond', async () => {
  const closed = [410, 'closed', 'This poll has closed.']
  expect(await errorOf(await (await newSupporter()).vote('one', 'one-a', { at: POLL_ENDS }))).toEqual(closed)
  expect(await errorOf(await (await newSupporter()).vote('one', 'one-a', { at: POLL_ENDS + 1 }))).toEqual(closed)
  expect((await (await newSupporter()).vote('one', 'one-a', { at: POLL_ENDS - 1 })).status).toBe(200)
})

test('rejects options of other polls, and unknown or hidden polls', async () => {
  const { user, vote } = await newSupporter()
  const unknownOptionError = [400, 'unknown_option', 'That option is not part of this poll.']
  for (const option of ['two-a', 'none', '-1', '9007199254740993', '__proto__'])
    expect(await errorOf(await vote('three', option))).toEqual(unknownOptionError)
  for (const poll of ['none', 'hidden', '-1', '1e0', '9007199254740993', '%00', '__proto__'])
    expect(await errorOf(await vote(poll, 'three-a'))).toEqual([404, 'not_found', 'That poll does not exist.'])
  expect(await statusAndCodeOf(await vote('hidden', 'hidden-a'))).toEqual([404, 'not_found'])
  expect(await votesOf('hidden')).toEqual([0, 0])
  for (const option of [null, 1, '', '  ', ['three-a'], { $ne: null }, 'x'.repeat(65)])
    expect(await statusAndCodeOf(await vote('three', option))).toEqual([400, 'bad_input'])
  expect([await votesOf('three'), await pointsOf(user.id)]).toEqual([[0, 0], 0])
})

test('answers 401 to visitors before any query', async () => {
  const { DB, trips } = spyOnD1(env.DB)
  const response = await send('POST', '/api/polls/one/vote', { optionId: 'one-a' }, { env: { DB } })
  expect(await errorOf(response)).toEqual([401, 'signed_out', 'Please sign up or login to vote'])
  expect(trips()).toBe(0)
})

test('rejects ended sessions and banned accounts', async () => {
  const SESSIONS = staleKV(env.SESSIONS)
  const [loggedOut, banned, revoked, erased] = [
    await newSupporter(),
    await newSupporter(),
    await newSupporter(),
    await newSupporter(),
  ]
  const updateUser = (set: string, id: number) => env.DB.prepare(`UPDATE users SET ${set} WHERE id = ?1`).bind(id).run()
  // An edge location that cached the session still returns it after log-out.
  await SESSIONS.get(loggedOut.session.key)
  await revokeSession(db, env.SESSIONS, loggedOut.session)
  expect([await SESSIONS.get(loggedOut.session.key), await env.SESSIONS.get(loggedOut.session.key)]).toEqual([
    expect.any(String),
    null,
  ])
  await updateUser('banned_at = 1', banned.user.id)
  await updateUser('session_epoch = session_epoch + 1', revoked.user.id)
  await updateUser('erased_at = 1', erased.user.id)
  const responses = []
  for (const { vote } of [loggedOut, banned, revoked, erased])
    responses.push(await statusAndCodeOf(await vote('three', 'three-a', { env: { SESSIONS } })))
  expect(responses).toEqual([
    [401, 'signed_out'],
    [403, 'forbidden'],
    [401, 'signed_out'],
    [401, 'signed_out'],
  ])
  expect(await votesOf('three')).toEqual([0, 0])
})

test('votes in one round trip', async () => {
  const { vote } = await newSupporter()
  for (const [poll, option] of [
    ['one', 'one-a'],
    ['one', 'one-a'],
    ['none', 'one-a'],
    ['two', 'one-a'],
  ] as const) {
    const { DB, trips } = spyOnD1(env.DB)
    await vote(poll, option, { env: { DB } })
    expect(trips()).toBe(1)
  }
})

test('answers already_voted to a retry of a committed vote', async () => {
  const { user, vote } = await newSupporter()
  const before = await votesOf('two')
  const { DB } = spyOnD1(env.DB, {
    after: () => {
      throw new Error('D1_ERROR: Network connection lost.')
    },
  })
  expect(await statusAndCodeOf(await vote('two', 'two-a', { env: { DB } }))).toEqual([500, 'internal'])
  expect(await statusAndCodeOf(await vote('two', 'two-a'))).toEqual([409, 'already_voted'])
  expect(await votesOf('two')).toEqual([before[0]! + 1, before[1]])
  expect(await pointsOf(user.id)).toBe(10)
})

test('writes nothing when the connection is lost before the commit', async () => {
  const { user, vote } = await newSupporter()
  const { DB } = spyOnD1(env.DB, {
    before: () => {
      throw new Error('D1_ERROR: Network connection lost.')
    },
  })
  expect((await vote('two', 'two-b', { env: { DB } })).status).toBe(500)
  expect(await pointsOf(user.id)).toBe(0)
  expect((await vote('two', 'two-b')).status).toBe(200)
  expect(await pointsOf(user.id)).toBe(10)
})

test('answers 503 when the database is overloaded', async () => {
  const { user, vote } = await newSupporter()
  const { DB } = spyOnD1(env.DB, {
    before: () => {
      throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')
    },
  })
  expect(await errorOf(await vote('two', 'two-b', { env: { DB } }))).toEqual([
    503,
    'unavailable',
    'The site is very busy right now. Please try again in a moment.',
  ])
  expect(await pointsOf(user.id)).toBe(0)
  expect((await vote('two', 'two-b')).status).toBe(200)
})

test('limits the vote rate per user, not per IP', async () => {
  const [frequent, other] = [await newSupporter(), await newSupporter()]
  const headers = { 'cf-connecting-ip': '192.0.2.9' }
  const attempts = Array.from({ length: limits.writesPerMinute }, () => frequent.vote('none', 'x', { headers }))
  expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual(attempts.map(() => 404))
  const limited = await frequent.vote('one', 'one-a', { headers: { 'cf-connecting-ip': '192.0.2.10' } })
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60'])
  expect((await other.vote('one', 'one-a', { headers })).status).toBe(200)
})

test('finds votes and results by index', async () => {
  const session = { userId: 1, epoch: 0, sid: '' }
  const params = [serializeVotes([{ session, pollId: 'one', optionId: 'one-a', mailboxHash: null, at: NOON }])]
  for (const sql of [INSERT_MAILBOXES, INSERT_VOTES, VOTE_OUTCOMES]) {
    const plan = (await queryPlan({ sql, params })).join('\n')
    expect(plan).toMatch(/SEARCH (caller|poll|option|stored)\b/)
    expect(plan).not.toMatch(/SCAN (?!json_each\b|mission\b|CONSTANT)/)
  }
})

test('keeps counts and totals consistent in any order', async () => {
  const supporters = await Promise.all(Array.from({ length: 6 }, newSupporter))
  const action = fc.record({
    supporter: fc.nat(5),
    poll: fc.constantFrom('one', 'two', 'three', 'hidden', 'none'),
    option: fc.constantFrom('one-a', 'one-b', 'two-a', 'three-b'),
    delayMs: fc.constantFrom(0, HOUR_MS),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
      await Promise.all(
        actions.map(({ supporter, poll, option, delayMs }) =>
          supporters[supporter]!.vote(poll, option, { at: NOON + delayMs }),
        ),
      )
      const wrong = await env.DB.prepare(`
        SELECT id FROM poll_options WHERE votes <> (SELECT count(*) FROM poll_votes WHERE option_id = poll_options.id)
        UNION ALL SELECT id FROM users
          WHERE points <> (SELECT coalesce(sum(points), 0) FROM ledger WHERE user_id = users.id)
        UNION ALL SELECT id FROM users
          WHERE points <> ${POINTS.poll_vote} * (SELECT count(*) FROM poll_votes WHERE user_id = users.id)`).all()
      expect(wrong.results).toEqual([])
    }),
    { numRuns: 10 },
  )
})
