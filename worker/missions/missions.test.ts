import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { callerBinds } from '../auth/sessions'
import { Mission, POINTS } from '../contract/points'
import { dayInZone } from '../db/artist-calendar'
import { DAY_MS, HOUR_MS, zonedTimeToUtc } from '../lib/clock'
import { ledger } from '../points/points.table'
import { pollOptions, polls, pollVotes } from '../polls/polls.table'
import { getJson, send } from '../testing/client'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { sessionFor } from '../testing/users'
import { listMissions, SELECT_MISSIONS } from './missions'
import { missions } from './missions.table'

beforeAll(async () => {
  await seedSite(env.DB)
  const row = { title: 'A mission', description: 'Do it.', points: 20 }
  await db.insert(missions).values([
    { ...row, id: 'listen', action: 'track_stream', target: 3, isStreak: true, position: 3 },
    { ...row, id: 'vote', action: 'poll_vote', target: 2, position: 1 },
    { ...row, id: 'like', action: 'track_like', target: 2, withinDays: 7, position: 2 },
    { ...row, id: 'old', action: 'poll_vote', target: 1, position: 0, isActive: false },
  ])
})

let keyCount = 0
/**
 * Adds a supporter with these actions and returns `[progress, completed]` by mission id.
 * Checks that the endpoint accepts exactly the completed ones.
 */
async function missionsAfter(actions: [action: string, at: number, reversed?: 'reversed'][], now = NOON) {
  const user = await addUser()
  const row = { userId: user.id, description: '', points: 5 }
  for (const [action, createdAt, reversed] of actions) {
    const day = dayInZone('America/New_York', createdAt).key
    const key = action === 'track_stream' ? `${action}:${++keyCount}:${day}` : `${action}:k${++keyCount}`
    await db.insert(ledger).values({ ...row, action, key, createdAt })
    if (reversed) await db.insert(ledger).values({ ...row, action, key: `undo:${key}`, points: -5, createdAt })
  }
  const { session, headers } = await sessionFor(user, now)
  const list = await listMissions(db, { session, at: now })
  const rows = await db.select().from(ledger).where(eq(ledger.userId, user.id))
  const awarded = rows.filter(({ action }) => action === 'mission').map(({ key }) => key.slice('mission:'.length))
  expect(
    list
      .filter(({ completed }) => completed)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(awarded.sort())
  for (const { id, progress, target } of list) {
    expect(progress === target).toBe(awarded.includes(id))
    const response = await send('POST', `/api/missions/${id}/complete`, undefined, { headers, at: now })
    expect(response.status).toBe(awarded.includes(id) ? 200 : 409)
  }
  return Object.fromEntries(list.map(({ id, progress, completed }) => [id, [progress, completed]]))
}

test('lists missions without progress to visitors', async () => {
  const list = z.array(Mission).parse(await getJson('/api/missions'))
  expect(list.map(({ id, progress, completed }) => [id, progress, completed])).toEqual([
    ['vote', 0, false],
    ['like', 0, false],
    ['listen', 0, false],
  ])
  expect(list[0]).toEqual({
    id: 'vote',
    title: 'A mission',
    description: 'Do it.',
    points: 20,
    action: 'poll_vote',
    progress: 0,
    target: 2,
    completed: false,
    takenBack: false,
  })
})

test('counts only the supporter’s actions, up to the target', async () => {
  expect((await missionsAfter([['poll_vote', NOON]])).vote).toEqual([1, false])
  expect((await missionsAfter([1, 2, 3].map((day) => ['poll_vote', NOON - day * DAY_MS]))).vote).toEqual([2, true])
  expect((await missionsAfter([])).vote).toEqual([0, false])
})

test('ignores reversed actions', async () => {
  expect(
    (
      await missionsAfter([
        ['poll_vote', NOON - 2, 'reversed'],
        ['poll_vote', NOON - 1],
      ])
    ).vote,
  ).toEqual([1, false])
})

test('counts actions within the window of days', async () => {
  const likesAfter = async (...days: number[]) =>
    (await missionsAfter(days.map((day) => ['track_like', NOON - day * DAY_MS]))).like
  expect(await likesAfter(1)).toEqual([1, false])
  expect(await likesAfter(8)).toEqual([0, false])
  expect(await likesAfter(8, 1)).toEqual([1, false])
  expect(await likesAfter(6.9, 0)).toEqual([2, true])
  expect(await likesAfter(107, 100)).toEqual([0, false])
  expect(await likesAfter(106, 100)).toEqual([2, true])
})

test('counts streaks in the artist’s time zone', async () => {
  const NEW_YORK = 'America/New_York'
  const streakAfter = async (...times: [string, string][]) =>
    (await missionsAfter(times.map(([date, time]) => ['track_stream', zonedTimeToUtc(date, time, NEW_YORK)]))).listen
  // `NOON` is on July 1.
  expect(await streakAfter(['2026-06-30', '23:59'], ['2026-07-01', '00:01'])).toEqual([2, false])
  expect(await streakAfter(['2026-06-29', '10:00'], ['2026-06-30', '10:00'])).toEqual([2, false])
  expect(await streakAfter(['2026-06-28', '10:00'], ['2026-06-29', '23:59'])).toEqual([0, false])
  expect(await streakAfter(['2026-06-28', '10:00'], ['2026-06-30', '10:00'], ['2026-07-01', '01:00'])).toEqual([
    2,
    false,
  ])
  expect(await streakAfter(['2026-06-30', '01:00'], ['2026-06-30', '10:00'], ['2026-07-01', '01:00'])).toEqual([
    2,
    false,
  ])
  expect(await streakAfter(['2026-06-29', '21:00'], ['2026-06-30', '23:00'], ['2026-07-01', '01:00'])).toEqual([
    3,
    true,
  ])
  expect(await streakAfter(['2025-12-30', '21:00'], ['2025-12-31', '23:00'], ['2026-01-01', '01:00'])).toEqual([
    3,
    true,
  ])
  expect(await streakAfter(['2026-03-07', '23:30'], ['2026-03-08', '23:30'], ['2026-03-09', '00:30'])).toEqual([
    3,
    true,
  ])
  // November 2, 2025 has 25 hours.
  expect(await streakAfter(['2025-11-01', '00:10'], ['2025-11-02', '23:50'], ['2025-11-03', '23:50'])).toEqual([
    3,
    true,
  ])
  expect(await streakAfter(['2025-11-02', '00:10'], ['2025-11-02', '23:50'], ['2025-11-03', '00:10'])).toEqual([
    0,
    false,
  ])
})

test('awards points for a vote and updates progress', async () => {
  const user = await addUser()
  await db.insert(polls).values({ id: 'p', title: 'P', endsAt: NOON + HOUR_MS, createdAt: 0 })
  await db.insert(pollOptions).values({ id: 'o', pollId: 'p', title: 'O', position: 1 })
  await db.insert(pollVotes).values({ pollId: 'p', userId: user.id, optionId: 'o', castAt: NOON })
  const [row] = await db.select().from(ledger).where(eq(ledger.userId, user.id))
  expect([row?.action, row?.points]).toEqual(['poll_vote', POINTS.poll_vote])
  const { headers } = await sessionFor(user, NOON)
  const [voteMission] = await getJson<Mission[]>('/api/missions', { headers, at: NOON })
  expect(voteMission).toMatchObject({ id: 'vote', progress: 1 })
})

test('reads missions with indexes in one round trip', async () => {
  const plan = (await queryPlan({ sql: SELECT_MISSIONS, params: [...callerBinds(null), NOON] })).join('\n')
  expect(plan).toContain('SEARCH act USING INDEX ledger_by_action (user_id=? AND action=? AND created_at>?)')
  expect(plan).toContain('SEARCH act USING COVERING INDEX ledger_once (user_id=? AND key>? AND key<?)')
  expect(plan).not.toMatch(/SCAN (act|undone|ledger|users)\b/)
  const { DB, trips } = spyOnD1(env.DB)
  await listMissions({ $client: DB } as unknown as typeof db, { session: null, at: NOON })
  expect(trips()).toBe(1)
})
