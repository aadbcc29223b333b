import { env } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { HallOfFameEntry } from '../contract/hall-of-fame'
import { DAY_MS, zonedTimeToUtc } from '../lib/clock'
import { errorOf, getJson, send } from '../testing/client'
import { addChallenge, db, queryPlan } from '../testing/fixtures'
import { seedSite } from '../testing/seed'
import { latestPublishedQuery } from './challenge'
import { challengeBallots, challenges, verseSubmissions } from './challenge.table'
import { finalizeDueChallenges } from './finalize'

const NEW_YORK = 'America/New_York'
const AFTER_VOTING = zonedTimeToUtc('2025-07-21', '00:00', NEW_YORK)
const SUBMISSIONS_2026 = { submissionsFrom: '2026-07-02', submissionsUntil: '2026-07-16', finalistsOn: '2026-07-17' }
const VOTING_2026 = {
  votingFrom: '2026-07-17',
  votingUntil: '2026-07-20',
  winnerOn: '2026-07-20',
  closedOn: '2026-07-25',
}

beforeAll(() => seedSite(env.DB))
// Finalized challenges cannot be deleted: all challenges of earlier tests move into the past.
beforeEach(async () => {
  await db.update(challenges).set({ publishAt: 0, votingClosesAt: sql`iif(sealed_at is null, 0, voting_closes_at)` })
})

let challengeCount = 0
async function addVotedChallenge(
  votes: Record<string, number>,
  row: Parameters<typeof addChallenge>[1] = {},
): Promise<string> {
  const id = `c${++challengeCount}`
  await addChallenge(id, { ...row, finalists: Object.keys(votes) })
  const ballots = Object.entries(votes).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, n) => ({
      challengeId: id,
      finalistId: `${id}-${name}`,
      castAt: 0,
      voterPseudonym: `${name}-${n}`,
    })),
  )
  for (let from = 0; from < ballots.length; from += 20)
    await db.insert(challengeBallots).values(ballots.slice(from, from + 20))
  return id
}
const getHall = async (at = AFTER_VOTING) => HallOfFameEntry.parse(await getJson('/api/challenge', { at }))
const NO_CHALLENGE = [404, 'not_found', 'No challenge has a winner yet.']

test('has no hall of fame without a counted challenge', async () => {
  const getError = async () => errorOf(await send('GET', '/api/challenge', undefined, { at: AFTER_VOTING }))
  expect(await getError()).toEqual(NO_CHALLENGE)
  await addVotedChallenge({})
  await addVotedChallenge({ ada: 1 })
  await finalizeDueChallenges(db, AFTER_VOTING)
  expect(await getError()).toEqual(NO_CHALLENGE)
})

test('computes the hall of fame from finalists, votes and verses', async () => {
  const id = await addVotedChallenge({ ada: 3, bo: 10, cy: 3 })
  await db.insert(verseSubmissions).values(
    [1, 2].map((n) => ({
      id: `v${n}`,
      challengeId: id,
      name: 'A Fan',
      email: 'fan@fan.example',
      phoneNumber: '+18135550100',
      submittedAt: 0,
      confirmedAt: 0,
    })),
  )
  await finalizeDueChallenges(db, AFTER_VOTING)
  const hall = await getHall()
  expect(hall).toEqual({
    id,
    title: `Challenge ${id}`,
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
    tally: { url: `/api/challenges/${id}/tally.csv`, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), excluded: 0 },
  })
  expect(JSON.stringify(hall)).not.toMatch(/fan\.example|\+1813|A Fan/)
})

test('hides the result until counted and published', async () => {
  const before = await getHall(AFTER_VOTING).catch(() => null)
  const id = await addVotedChallenge({ ada: 1, bo: 0 }, { votingUntil: '2025-07-18' })
  expect((await getHall(AFTER_VOTING).catch(() => null))?.id).toBe(before?.id)
  await finalizeDueChallenges(db, AFTER_VOTING - DAY_MS)
  expect((await getHall(AFTER_VOTING - 1).catch(() => null))?.id).toBe(before?.id)
  expect((await getHall()).id).toBe(id)
})

test('shows the last result during a running challenge', async () => {
  await addVotedChallenge({ ada: 1, bo: 0 })
  await addVotedChallenge({ cy: 5, di: 0 }, { ...SUBMISSIONS_2026, ...VOTING_2026 })
  await finalizeDueChallenges(db, AFTER_VOTING)
  expect((await getHall()).winner).toBe('ada')
  const afterVoting2026 = zonedTimeToUtc('2026-07-21', '00:00', NEW_YORK)
  await finalizeDueChallenges(db, afterVoting2026)
  expect((await getHall(afterVoting2026)).winner).toBe('cy')
})

test('names tied winners, and skips challenges without counted votes', async () => {
  const tied = await addVotedChallenge({ ada: 2, bo: 1, cy: 2 })
  await finalizeDueChallenges(db, AFTER_VOTING)
  expect(await getHall()).toMatchObject({ id: tied, winner: 'ada & cy', winnerVotes: 2, totalVotes: 5 })
  await addVotedChallenge({ di: 0, ed: 0 }, { winnerOn: '2025-07-21' })
  const excluded = await addVotedChallenge({ flo: 1, gus: 0 }, { winnerOn: '2025-07-22' })
  await db.update(challengeBallots).set({ excludedFor: 'burst' }).where(eq(challengeBallots.challengeId, excluded))
  await finalizeDueChallenges(db, AFTER_VOTING + 3 * DAY_MS)
  // Neither hides the last challenge with a winner.
  expect((await getHall(AFTER_VOTING + 3 * DAY_MS)).id).toBe(tied)
})

test('prefers any challenge to one that never opened voting', async () => {
  const currentId = async (at: number) =>
    (await getJson<{ id: string; state: string } | null>('/api/challenge/current', { at }))?.id
  await db.update(challenges).set({ removedAt: 1 })
  const neverOpened = await addVotedChallenge({ ada: 0 })
  expect(await currentId(AFTER_VOTING)).toBe(neverOpened)
  const next = await addVotedChallenge({}, { ...SUBMISSIONS_2026, ...VOTING_2026 })
  expect([await currentId(AFTER_VOTING - 1), await currentId(AFTER_VOTING)]).toEqual([neverOpened, next])
  await db.update(challenges).set({ removedAt: 1 }).where(eq(challenges.id, next))
  const counted = await addVotedChallenge({ cy: 1, di: 0 })
  await finalizeDueChallenges(db, AFTER_VOTING)
  expect(await currentId(AFTER_VOTING)).toBe(counted)
})

test('finds the latest challenge by index', async () => {
  expect(await queryPlan(latestPublishedQuery(db, AFTER_VOTING))).toContain(
    'SEARCH challenges USING INDEX challenges_by_end (publish_at<?)',
  )
})
