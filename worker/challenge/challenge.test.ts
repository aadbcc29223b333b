import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { Challenge } from '../contract/challenge'
import { DAY, instantOf } from '../lib/clock'
import { read, refusal, send } from '../testing/client'
import { furnish } from '../testing/furnish'
import { db, planOf } from '../testing/rows'
import { challengeBallots, challengeFinalists, challenges, verseSubmissions } from './challenge.table'

const NEW_YORK = 'America/New_York'
const DAY_AFTER = instantOf('2025-07-21', '00:00', NEW_YORK)

beforeAll(() => furnish(env.DB))
beforeEach(async () => {
  for (const table of [challengeBallots, verseSubmissions, challengeFinalists, challenges]) await db.delete(table)
})

async function addChallenge(
  id: string,
  votes: Record<string, number>,
  row: Partial<typeof challenges.$inferInsert> = {},
) {
  await db.insert(challenges).values({
    id,
    title: `Challenge ${id}`,
    prize: 'A prize',
    submissionsFrom: '2025-07-02',
    submissionsUntil: '2025-07-16',
    finalistsOn: '2025-07-17',
    votingFrom: '2025-07-17',
    votingUntil: '2025-07-20',
    winnerOn: '2025-07-20',
    closedOn: '2025-07-25',
    ...row,
  })
  const names = Object.keys(votes)
  if (names.length === 0) return
  await db
    .insert(challengeFinalists)
    .values(names.map((name, position) => ({ id: `${id}-${name}`, challengeId: id, name, position })))
  for (const [name, count] of Object.entries(votes))
    for (let n = 0; n < count; n++) await castBallot(id, name, `${name}-${n}`)
}

const castBallot = (id: string, name: string, voterPseudonym: string) =>
  db.insert(challengeBallots).values({ challengeId: id, finalistId: `${id}-${name}`, castAt: 0, voterPseudonym })
const hall = async (at = DAY_AFTER) => Challenge.parse(await read('/api/challenge', { at }))
const NONE = [404, 'not_found', 'No challenge has been finished yet.']

test('the hall of fame is counted from the ballots and the submissions', async () => {
  await addChallenge('one', { ada: 3, bo: 10, cy: 3 })
  await db.insert(verseSubmissions).values(
    [1, 2].map((n) => ({
      id: `v${n}`,
      challengeId: 'one',
      name: 'A Fan',
      email: 'fan@fan.example',
      phoneNumber: '+18135550100',
      submittedAt: 0,
    })),
  )
  const seen = await hall()
  expect(seen).toEqual({
    id: 'one',
    title: 'Challenge one',
    winner: 'bo',
    date: '2025-07-20',
    totalVotes: 16,
    totalSubmissions: 2,
    winnerVotes: 10,
    prize: 'A prize',
    timeline: [
      { label: 'Submissions open', date: '2025-07-02' },
      { label: 'Submissions close', date: '2025-07-16' },
      { label: 'Finalists named', date: '2025-07-17' },
      { label: 'Voting opens', date: '2025-07-17' },
      { label: 'Voting closes', date: '2025-07-20' },
      { label: 'Winner announced', date: '2025-07-20' },
      { label: 'Closed', date: '2025-07-25' },
    ],
    finalists: [
      { name: 'bo', votes: 10, percent: 62.5 },
      { name: 'ada', votes: 3, percent: 18.8 },
      { name: 'cy', votes: 3, percent: 18.8 },
    ],
  })
  expect(JSON.stringify(seen)).not.toMatch(/fan\.example|\+1813|A Fan/)
})

test('one ballot more moves the figures', async () => {
  await addChallenge('one', { ada: 1, bo: 1 })
  expect((await hall()).winner).toBe('ada')
  await castBallot('one', 'bo', 'late')
  expect(await hall()).toMatchObject({
    winner: 'bo',
    winnerVotes: 2,
    totalVotes: 3,
    finalists: [
      { name: 'bo', votes: 2, percent: 66.7 },
      { name: 'ada', votes: 1, percent: 33.3 },
    ],
  })
})

test('nothing of a challenge is told before the winner’s day is over where the artist lives', async () => {
  await addChallenge('one', { ada: 1 })
  const early = await send('GET', '/api/challenge', undefined, { at: DAY_AFTER - 1 })
  expect(await refusal(early)).toEqual(NONE)
  expect((await hall()).id).toBe('one')
})

test('a running challenge leaves the last one standing', async () => {
  await addChallenge('one', { ada: 1 })
  await addChallenge('older', { bo: 1 }, { winnerOn: '2024-07-20' })
  await addChallenge('running', { cy: 5 }, { winnerOn: '2025-08-20' })
  expect((await hall()).winner).toBe('ada')
  expect((await hall(DAY_AFTER + 60 * DAY)).winner).toBe('cy')
})

test('without a finished challenge, or without finalists, there is none', async () => {
  expect(await refusal(await send('GET', '/api/challenge', undefined, { at: DAY_AFTER }))).toEqual(NONE)
  await addChallenge('empty', {})
  expect(await refusal(await send('GET', '/api/challenge', undefined, { at: DAY_AFTER }))).toEqual(NONE)
})

test('a challenge without a vote has percentages all the same', async () => {
  await addChallenge('one', { ada: 0, bo: 0 })
  expect((await hall()).finalists.map(({ percent }) => percent)).toEqual([0, 0])
})

test('the latest challenge is found by index', async () => {
  const query = db.select().from(challenges).orderBy(challenges.winnerOn).limit(1)
  expect(await planOf(query)).toEqual(['SCAN challenges USING INDEX challenges_by_end'])
})
