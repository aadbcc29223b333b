import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { callerBinds } from '../auth/sessions'
import { Leaderboard } from '../contract/points'
import { limits } from '../limits'
import { getJson } from '../testing/client'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { sessionFor } from '../testing/users'
import { users } from '../users/users.table'
import { readLeaderboard, SELECT_RANK, SELECT_TOP } from './leaderboard'
import { ledger } from './points.table'

async function addSupporter(username: string, points: number, row: Partial<typeof users.$inferInsert> = {}) {
  const supporter = await addUser({ username, ...row })
  await db
    .insert(ledger)
    .values({ userId: supporter.id, action: 'poll_vote', key: 'k', description: '', points, createdAt: 0 })
  return supporter
}

const supporters: Record<string, Awaited<ReturnType<typeof addSupporter>>> = {}
beforeAll(async () => {
  supporters.third = await addSupporter('third', 40)
  supporters.first = await addSupporter('first', 90)
  supporters.fourth = await addSupporter('fourth', 40)
  supporters.second = await addSupporter('second', 70)
  supporters.shy = await addSupporter('shy', 80, { leaderboardOptOut: true })
  supporters.banned = await addSupporter('banned', 99, { bannedAt: 1 })
  supporters.erased = await addSupporter('erased', 99, { erasedAt: 1 })
  supporters.demo = await addSupporter('demo', 95, { isDemoLogin: true })
  supporters.unconfirmed = await addSupporter('unconfirmed', 85, { email: 'a@mail.example', emailVerifiedAt: null })
  supporters.seeded = await addSupporter('seeded', 30, { email: null, emailVerifiedAt: null })
  supporters.admin = await addSupporter('admin', 99, { role: 'administrator' })
})

const rankOf = async (name: string) => (await readLeaderboard(db, (await sessionFor(supporters[name]!)).session)).me

test('ranks by points, then by time of sign-up', async () => {
  const board = await getJson('/api/leaderboard')
  expect(Leaderboard.parse(board)).toEqual(board)
  expect(board).toEqual({
    entries: [
      { rank: 1, username: 'first', points: 90 },
      { rank: 2, username: 'second', points: 70 },
      { rank: 3, username: 'third', points: 40 },
      { rank: 4, username: 'fourth', points: 40 },
      { rank: 5, username: 'seeded', points: 30 },
    ],
    me: null,
  })
})

test('shows supporters their rank', async () => {
  const { headers } = await sessionFor(supporters.fourth!)
  expect((await getJson<Leaderboard>('/api/leaderboard', { headers })).me).toEqual({ rank: 4, points: 40 })
  expect(await rankOf('third')).toEqual({ rank: 3, points: 40 })
  expect(await rankOf('first')).toEqual({ rank: 1, points: 90 })
})

test('shows hidden users the rank they would have if listed', async () => {
  expect(await rankOf('shy')).toEqual({ rank: 2, points: 80 })
  expect(await rankOf('unconfirmed')).toEqual({ rank: 2, points: 85 })
  expect(await rankOf('demo')).toEqual({ rank: 1, points: 95 })
})

test('excludes banned, erased and admin accounts', async () => {
  for (const name of ['banned', 'erased', 'admin']) expect(await rankOf(name)).toBe(null)
})

test('lists an account after its email is confirmed', async () => {
  const { id } = supporters.unconfirmed!
  const setVerified = (at: number | null) => db.update(users).set({ emailVerifiedAt: at }).where(eq(users.id, id))
  await setVerified(1)
  expect(await rankOf('unconfirmed')).toEqual({ rank: 2, points: 85 })
  expect(await rankOf('third')).toEqual({ rank: 4, points: 40 })
  await setVerified(null)
  expect(await rankOf('third')).toEqual({ rank: 3, points: 40 })
})

test('reads the leaderboard and ranks with database indexes', async () => {
  expect(await queryPlan({ sql: SELECT_TOP, params: [] })).toEqual(['SCAN users USING INDEX users_by_points'])
  const plan = (await queryPlan({ sql: SELECT_RANK, params: [...callerBinds(null)] })).join('\n')
  expect(plan).toContain('SEARCH standings USING INTEGER PRIMARY KEY (rowid>?)')
  expect(plan).not.toContain('SCAN')
})

test('returns a rank below the last entry of the leaderboard', async () => {
  for (let n = 0; n < limits.leaderboardSize; n++) await addSupporter(`load-user${n}`, 50)
  const { entries, me } = await readLeaderboard(db, (await sessionFor(supporters.fourth!)).session)
  expect(entries.length).toBe(limits.leaderboardSize)
  expect(entries.map(({ rank }) => rank)).toEqual(entries.map((_, index) => index + 1))
  expect(me).toEqual({ rank: limits.leaderboardSize + 3, points: 40 })
  expect(await rankOf('third')).toEqual(me)
})

test('a supporter tied with the last entry ranks below it', async () => {
  const newest = await addSupporter('newest', 50)
  expect((await readLeaderboard(db, (await sessionFor(newest)).session)).me?.rank).toBe(limits.leaderboardSize + 1)
})

test('updates ranks after points, opt-outs and bans', async () => {
  const updateSecond = (set: string) => db.run(`UPDATE users SET ${set} WHERE username = 'second'`)
  const ranks = [await rankOf('shy')]
  for (const set of ['points = 85', 'leaderboard_opt_out = 1', 'leaderboard_opt_out = 0', 'banned_at = 1']) {
    await updateSecond(set)
    ranks.push(await rankOf('shy'))
  }
  expect(ranks.map((own) => own?.rank)).toEqual([2, 3, 2, 3, 2])
})
