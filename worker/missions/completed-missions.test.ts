import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Mission, PointsAward } from '../contract/points'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { ledger } from '../points/points.table'
import { pollOptions, polls } from '../polls/polls.table'
import { errorOf, getJson, send } from '../testing/client'
import { addTrack, addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { beforeBatch, spyOnD1 } from '../testing/stores'
import { sessionFor } from '../testing/users'
import { reportStream } from '../tracks/streams'
import { awardReferrer } from '../users/referrals'
import { users } from '../users/users.table'
import { missions } from './missions.table'

const MISSIONS: readonly [id: string, action: string, target: number, withinDays: number | null, isStreak: boolean][] =
  [
    ['first-vote', 'poll_vote', 1, null, false],
    ['three-votes', 'poll_vote', 3, 7, false],
    ['profile', 'profile_complete', 1, null, false],
    ['newsletter', 'newsletter_signup', 1, null, false],
    ['friend', 'referral_bonus', 1, null, false],
    ['door', 'check_in', 1, null, false],
    ['listener', 'track_stream', 5, null, true],
  ]

beforeAll(async () => {
  await seedSite(env.DB)
  await addTrack({ id: 1 })
  for (const [position, [id, action, target, withinDays, isStreak]] of MISSIONS.entries())
    await db
      .insert(missions)
      .values({ id, title: id, description: '', points: 7, action, target, withinDays, isStreak, position })
  for (const id of ['a', 'b', 'c']) {
    await db.insert(polls).values({ id, title: id, endsAt: NOON + 30 * DAY_MS, createdAt: 0 })
    await db.insert(pollOptions).values({ id: `${id}1`, pollId: id, title: 'O', position: 1 })
  }
})

/** Adds a supporter; the returned functions send requests in a session, at NOON unless `at` is given. */
async function newSupporter(row: Parameters<typeof addUser>[0] = {}) {
  const user = await addUser(row)
  const { headers } = await sessionFor(user, NOON)
  const request = (method: string, path: string, json?: unknown, at = NOON) => send(method, path, json, { at, headers })
  const completedIds = async (at = NOON) =>
    (await getJson<Mission[]>('/api/missions', { headers, at }))
      .filter(({ completed }) => completed)
      .map(({ id }) => id)
  const mission = async (id: string) =>
    (await getJson<Mission[]>('/api/missions', { headers, at: NOON })).find((mission) => mission.id === id)
  const vote = async (poll: string, at = NOON) =>
    (await request('POST', `/api/polls/${poll}/vote`, { optionId: `${poll}1` }, at)).json<PointsAward>()
  const points = async () => (await db.select().from(users).where(eq(users.id, user.id)))[0]?.points
  return { user, headers, request, completedIds, mission, vote, points }
}

test('completes a mission with the first vote', async () => {
  const { vote, completedIds, points } = await newSupporter()
  expect(await vote('a')).toEqual({
    pointsAwarded: 10,
    totalPoints: 17,
    missions: [{ id: 'first-vote', title: 'first-vote', points: 7 }],
    counted: true,
  })
  expect(await vote('b')).toEqual({ pointsAwarded: 10, totalPoints: 27, missions: [], counted: true })
  expect([await completedIds(), await points()]).toEqual([['first-vote'], 27])
})

test('requires three votes within seven days', async () => {
  const [quickSupporter, slowSupporter] = [await newSupporter(), await newSupporter()]
  for (const [day, poll] of ['a', 'b', 'c'].entries()) {
    await quickSupporter.vote(poll, NOON + day * DAY_MS)
    await slowSupporter.vote(poll, NOON + day * 3.5 * DAY_MS)
  }
  expect([
    await quickSupporter.completedIds(NOON + 20 * DAY_MS),
    await slowSupporter.completedIds(NOON + 7 * DAY_MS),
  ]).toEqual([['first-vote', 'three-votes'], ['first-vote']])
})

test('completes the profile mission once, whichever step comes last', async () => {
  const supporters = [
    await newSupporter({ phoneHash: 'p1', emailVerified: false }),
    await newSupporter(),
    await newSupporter({ emailVerified: false }),
  ]
  const [verifiedLast, phoneLast, unverified] = supporters
  await db.update(users).set({ emailVerifiedAt: NOON }).where(eq(users.id, verifiedLast!.user.id))
  await db.update(users).set({ phoneHash: 'p2' }).where(eq(users.id, phoneLast!.user.id))
  await db.update(users).set({ phoneHash: 'p3' }).where(eq(users.id, phoneLast!.user.id))
  await db.update(users).set({ phoneHash: 'p4' }).where(eq(users.id, unverified!.user.id))
  expect(await Promise.all(supporters.map(({ completedIds }) => completedIds()))).toEqual([
    ['profile'],
    ['profile'],
    [],
  ])
  expect(await Promise.all(supporters.map(({ points }) => points()))).toEqual([7, 7, 0])
  const history = await (await phoneLast!.request('GET', '/api/points/history')).json()
  expect(history).toMatchObject([{ action: 'mission', points: 7, description: 'Completed “profile”' }])
})

test('completes newsletter and referral missions', async () => {
  const reader = await newSupporter({ email: 'r@fan.example' })
  const subscribed = await reader.request('POST', '/api/newsletter/subscribe', { email: 'r@fan.example' })
  expect(await subscribed.json()).toEqual({
    pointsEarned: 50,
    missions: [{ id: 'newsletter', title: 'newsletter', points: 7 }],
  })
  expect([await reader.completedIds(), await reader.points()]).toEqual([['newsletter'], 57])

  const referrer = await newSupporter()
  const friends = await Promise.all([1, 2].map(() => addUser({ referredBy: referrer.user.id, emailVerifiedAt: NOON })))
  for (const { id } of friends) await awardReferrer(db, { id }, NOON).run()
  expect([await referrer.completedIds(), await referrer.points()]).toEqual([['friend'], 2 * 200 + 7])
})

test('a check-in’s ledger entry completes the check-in mission', async () => {
  const supporter = await newSupporter()
  const row = { userId: supporter.user.id, description: '', points: 250, createdAt: NOON }
  await db.insert(ledger).values({ ...row, action: 'check_in', key: 'check_in:show-1' })
  expect([await supporter.completedIds(), await supporter.points()]).toEqual([['door'], 257])
})

test('requires consecutive days in the artist’s time zone', async () => {
  let lastReport: Awaited<ReturnType<typeof reportStream>> | undefined
  /** Ids of the missions that a new supporter has completed after listens that began at these times. */
  const completedAfterListens = async (starts: number[]) => {
    const supporter = await newSupporter()
    for (const startedAt of starts)
      lastReport = await reportStream(
        { db, secret: env.SIGNING_SECRET },
        {
          network: 'any',
          trackId: 1,
          userId: supporter.user.id,
          listen: { trackId: 1, startedAt, listener: `u${supporter.user.id}`, isSpent: false },
          at: startedAt + HOUR_MS,
        },
        async () => {},
      )
    return supporter.completedIds(starts.at(-1))
  }
  const noonOnDays = (...days: number[]) => days.map((day) => NOON + day * DAY_MS)
  expect(await completedAfterListens(noonOnDays(0, 1, 2, 3, 4))).toEqual(['listener'])
  expect(lastReport?.earned).toEqual({
    pointsAwarded: 5,
    totalPoints: 5 * 5 + 7,
    missions: [{ id: 'listener', title: 'listener', points: 7 }],
  })
  expect(await completedAfterListens(noonOnDays(0, 1, 2, 3))).toEqual([])
  expect(await completedAfterListens(noonOnDays(0, 1, 2, 3, 5, 6, 7, 8))).toEqual([])
  expect(await completedAfterListens(noonOnDays(0, 1, 3, 4, 5, 6, 7))).toEqual(['listener'])
  // The last stream is at 22:48 on the fourth day in New York, already the fifth day in UTC.
  expect(await completedAfterListens(noonOnDays(0, 1, 2, 3, 3.45))).toEqual([])
})

test('does not award a reversed mission again', async () => {
  const supporter = await newSupporter()
  await supporter.vote('a')
  const row = { userId: supporter.user.id, action: 'mission', description: '', points: -7, createdAt: NOON }
  await db.insert(ledger).values({ ...row, key: 'undo:mission:first-vote' })
  expect((await supporter.vote('b')).missions).toEqual([])
  expect(await errorOf(await supporter.request('POST', '/api/missions/first-vote/complete'))).toEqual([
    409,
    'conflict',
    'The points of this mission were taken back, so it cannot be completed again.',
  ])
  expect((await supporter.mission('first-vote'))?.takenBack).toBe(true)
  expect((await supporter.mission('three-votes'))?.takenBack).toBe(false)
  expect(await supporter.points()).toBe(20)
})

test('awards a mission again after a refund reversed it', async () => {
  const supporter = await newSupporter()
  await supporter.vote('a')
  const row = { userId: supporter.user.id, action: 'merch_refund', description: '', points: -7, createdAt: NOON }
  await db.insert(ledger).values({ ...row, key: 'undo:mission:first-vote' })
  expect(await supporter.mission('first-vote')).toMatchObject({ progress: 1, completed: false, takenBack: false })
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await (await supporter.request('POST', '/api/missions/first-vote/complete')).json()).toEqual({
      pointsAwarded: 7,
      totalPoints: 17,
    })
  expect(await supporter.mission('first-vote')).toMatchObject({ completed: true, takenBack: false })
})

test('awards no mission whose action is reversed during the request', async () => {
  const supporter = await newSupporter()
  await supporter.vote('a')
  const racedMission = {
    id: 'raced',
    title: 'Raced',
    description: '',
    points: 3,
    action: 'poll_vote',
    target: 1,
    position: 9,
  }
  await db.insert(missions).values(racedMission)
  const undo = { userId: supporter.user.id, action: 'poll_vote', key: 'undo:poll_vote:a', description: '', points: -10 }
  let isAwarding = false
  const { DB: watched } = spyOnD1(env.DB, {
    prepared: (sql) => {
      isAwarding ||= sql.includes('INSERT INTO ledger')
    },
  })
  const DB = beforeBatch(watched, async () => {
    if (isAwarding) await db.insert(ledger).values({ ...undo, createdAt: NOON })
  })
  const response = await send('POST', '/api/missions/raced/complete', undefined, {
    at: NOON,
    headers: supporter.headers,
    env: { DB },
  })
  expect(await errorOf(response)).toEqual([409, 'conflict', 'This mission is not done yet.'])
  expect([isAwarding, await supporter.points()]).toEqual([true, 7])
  await db.update(missions).set({ isActive: false }).where(eq(missions.id, 'raced'))
})

test('awards concurrent completions once', async () => {
  const supporter = await newSupporter()
  expect(await errorOf(await supporter.request('POST', '/api/missions/first-vote/complete'))).toEqual([
    409,
    'conflict',
    'This mission is not done yet.',
  ])
  await supporter.vote('a')
  const responses = await Promise.all(
    Array.from({ length: 25 }, async () =>
      (await supporter.request('POST', '/api/missions/first-vote/complete')).json(),
    ),
  )
  for (const response of responses) expect(response).toEqual({ pointsAwarded: 7, totalPoints: 17 })
  expect(await supporter.points()).toBe(17)
})

test('awards new missions for earlier actions', async () => {
  const [requestingSupporter, votingSupporter] = [await newSupporter(), await newSupporter()]
  for (const supporter of [requestingSupporter, votingSupporter]) await supporter.vote('a')
  await db
    .insert(missions)
    .values({ id: 'late', title: 'Late', description: '', points: 3, action: 'poll_vote', target: 1, position: 9 })
  expect(await requestingSupporter.completedIds()).toEqual(['first-vote'])
  expect(await (await requestingSupporter.request('POST', '/api/missions/late/complete')).json()).toEqual({
    pointsAwarded: 3,
    totalPoints: 20,
  })
  expect((await votingSupporter.vote('b')).missions.map(({ id }) => id)).toEqual(['late'])
  await db.update(missions).set({ isActive: false }).where(eq(missions.id, 'late'))
})

test('answers 404 for unknown and ended missions', async () => {
  const supporter = await newSupporter()
  for (const id of ['none', 'late', '__proto__', '%00'])
    expect(await errorOf(await supporter.request('POST', `/api/missions/${id}/complete`))).toEqual([
      404,
      'not_found',
      'That mission does not exist.',
    ])
})
