import { env } from 'cloudflare:test'
import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import type { FlaggedBallot } from '../contract/admin-challenge'
import type { TallySeal } from '../contract/challenge'
import type { Env } from '../env'
import { EXPORT_SOURCES } from '../exports/sources'
import worker from '../index'
import { DAY_MS, MINUTE_MS } from '../lib/clock'
import { limits } from '../limits'
import { send, statusAndCodeOf } from '../testing/client'
import { addChallenge, DAYS_2025, db } from '../testing/fixtures'
import { seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession } from '../testing/users'
import { timestampsOf } from './challenge-state'
import { countBallots, digestTally, finalizeDueChallenges } from './finalize'

const { votingOpensAt: OPENS, votingClosesAt: CLOSES } = timestampsOf(DAYS_2025, 'America/New_York')
/** One day after the end of voting, to leave time for review. */
const WINNER_DAY = { winnerOn: '2025-07-21' }
const PUBLISHED_AT = CLOSES + DAY_MS
const unlimited = { LIMIT_WRITES: { limit: async () => ({ success: true }) } as unknown as RateLimit }

let challengeCount = 0
async function addVotingChallenge(): Promise<string> {
  const id = `seal${++challengeCount}`
  await addChallenge(id, { ...WINNER_DAY, finalists: ['ada', '=bo'] })
  return id
}
let voterCount = 0
type VoteOptions = { address?: string; device?: string; at?: number; finalist?: string; signedUpAt?: number }
async function vote(
  id: string,
  {
    address = `192.0.2.${++voterCount % 250}`,
    device,
    at = OPENS + voterCount,
    finalist = 'ada',
    signedUpAt = 0,
  }: VoteOptions = {},
) {
  const name = `sealer${++voterCount}`
  await addNamedUser(name, { mailboxKey: `${name}@fan.example`, createdAt: signedUpAt })
  const browser = await browserWithSession(name, { at, address, env: unlimited })
  if (device) browser.cookies.set('__Host-device', device)
  const response = await browser.send('POST', `/api/challenges/${id}/vote`, { finalistId: `${id}-${finalist}` })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return response
}
const request = async (method: string, path: string, body?: unknown, at = CLOSES + MINUTE_MS) =>
  (await browserWithSession('admin', { as: 'administrator', at })).send(
    method,
    `/api/admin/challenges${path && `/${path}`}`,
    body,
  )
const listFlags = async (id: string) => (await request('GET', `${id}/flags`)).json<FlaggedBallot[]>()
const readChallenge = (id: string) =>
  env.DB.prepare(
    `SELECT sealed_at AS sealedAt, ballots_sha256 AS sha256, ballots_count AS ballots, excluded_count AS excluded,
       (SELECT group_concat(votes) FROM (SELECT votes FROM challenge_finalists WHERE challenge_id = ?1 ORDER BY position)) AS votes,
       (SELECT count(*) FROM ballot_marks WHERE challenge_id = ?1) AS fingerprints
     FROM challenges WHERE id = ?1`,
  )
    .bind(id)
    .first()

beforeAll(async () => {
  await seedSite(env.DB)
  await addNamedUser('admin', { role: 'administrator' })
})

test('finalizes once, counts, and deletes fingerprints', async () => {
  const id = await addVotingChallenge()
  for (const finalist of ['ada', '=bo', '=bo']) await vote(id, { finalist })
  const runScheduledJobs = (at: number) =>
    worker.scheduled({ scheduledTime: at, cron: '*/5 * * * *' } as ScheduledController, env as Env)
  await runScheduledJobs(CLOSES - 1)
  expect(await readChallenge(id)).toMatchObject({ sealedAt: null, sha256: null, fingerprints: 3 })
  await runScheduledJobs(CLOSES)
  const sealed = await readChallenge(id)
  expect(sealed).toMatchObject({ sealedAt: CLOSES, ballots: 3, excluded: 0, votes: '1,2', fingerprints: 0 })
  await runScheduledJobs(CLOSES + DAY_MS)
  expect(await readChallenge(id)).toEqual(sealed)
})

test('resumes counting after a crash', async () => {
  const id = await addVotingChallenge()
  await vote(id)
  await env.DB.prepare('UPDATE challenges SET sealed_at = ?2 WHERE id = ?1').bind(id, CLOSES).run()
  await Promise.all([finalizeDueChallenges(db, CLOSES), finalizeDueChallenges(db, CLOSES)])
  expect(await readChallenge(id)).toMatchObject({ sealedAt: CLOSES, ballots: 1, fingerprints: 0 })
})

test('counting deletes no fingerprints while votes are not final', async () => {
  const id = await addVotingChallenge()
  await vote(id)
  await countBallots(db, id)
  expect(await readChallenge(id)).toMatchObject({ sealedAt: null, sha256: null, fingerprints: 1 })
})

test('publishes an anonymous tally with the result', async () => {
  const id = await addVotingChallenge()
  for (const finalist of ['ada', '=bo', 'ada']) await vote(id, { finalist })
  const seal = await (await request('POST', `${id}/seal`)).json<TallySeal>()
  const get = (at: number) => send('GET', `/api/challenges/${id}/tally.csv`, undefined, { at })
  expect(await statusAndCodeOf(await get(PUBLISHED_AT - 1))).toEqual([404, 'not_found'])
  const response = await get(PUBLISHED_AT)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(seal.sha256)
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  expect(text.startsWith('\ufeffballot,castAt,finalist,voterPseudonym,excluded\r\n')).toBe(true)
  expect(text).not.toMatch(/@|sealer|192\.0/)
  const ballots = parse(text, { bom: true, columns: true }) as Record<string, string>[]
  // Cells that a spreadsheet would execute start with an apostrophe.
  expect(ballots.map(({ finalist }) => finalist)).toEqual(['ada', "'=bo", 'ada'])
  expect(new Set(ballots.map(({ voterPseudonym }) => voterPseudonym)).size).toBe(3)
  // A lost file is rebuilt with the same bytes.
  await env.FILES.delete(`exports/tally-${seal.sha256}.csv`)
  expect(new Uint8Array(await (await get(PUBLISHED_AT)).arrayBuffer())).toEqual(bytes)
})

test('flags bursts and new accounts, but counts their ballots', async () => {
  const id = await addVotingChallenge()
  const at = OPENS + 5 * MINUTE_MS
  for (let n = 0; n < limits.voteBurstThreshold - 1; n++) await vote(id, { address: '203.0.113.9', at: at + n })
  expect(await listFlags(id)).toEqual([])
  await vote(id, { address: '203.0.113.9', at: at + 100 })
  expect((await listFlags(id)).map(({ kinds, sameNetwork }) => [kinds.join(), sameNetwork])).toEqual(
    Array(limits.voteBurstThreshold).fill(['burst', limits.voteBurstThreshold - 1]),
  )
  // A vote hours later belongs to no burst.
  await vote(id, { address: '203.0.113.9', at: at + 120 * MINUTE_MS })
  expect(await listFlags(id)).toHaveLength(limits.voteBurstThreshold)
  await vote(id, { signedUpAt: OPENS, at: OPENS + MINUTE_MS })
  expect((await listFlags(id)).filter(({ kinds }) => kinds.includes('new_account'))).toHaveLength(1)
  expect(await readChallenge(id)).toMatchObject({ votes: `${limits.voteBurstThreshold + 2},0` })
})

test('flags both ballots of a shared device', async () => {
  const id = await addVotingChallenge()
  const name = `sealer${++voterCount}`
  await addNamedUser(name, { mailboxKey: `${name}@fan.example` })
  const browser = await browserWithSession(name, { at: OPENS + 1, env: unlimited })
  const credentials = { username: name, password: 'a long enough password' }
  expect((await browser.send('POST', '/api/auth/login', credentials)).status).toBe(200)
  const device = browser.cookies.get('__Host-device') ?? ''
  expect(device).not.toBe('')
  const ownVote = await browser.send('POST', `/api/challenges/${id}/vote`, { finalistId: `${id}-ada` })
  expect(ownVote.status).toBe(200)
  expect(await listFlags(id)).toEqual([])
  await vote(id, { device })
  expect((await listFlags(id)).map(({ kinds, sameDevice }) => [kinds.join(), sameDevice])).toEqual([
    ['shared_device', 1],
    ['shared_device', 1],
  ])
})

test('delays the count for undecided flags and lists exclusions', async () => {
  const id = await addVotingChallenge()
  await vote(id, { signedUpAt: OPENS })
  await vote(id, { signedUpAt: OPENS, finalist: '=bo' })
  await vote(id)
  await finalizeDueChallenges(db, CLOSES)
  expect(await readChallenge(id)).toMatchObject({ sealedAt: null })
  const [second, first] = await listFlags(id)
  const decide = async (ballot: number | undefined, keep: boolean) =>
    request('POST', `${id}/flags/${ballot}`, { keep, reason: 'Ana B. voted for a friend' })
  expect((await decide(second?.ballot, true)).status).toBe(204)
  expect((await decide(first?.ballot, true)).status).toBe(204)
  expect((await decide(first?.ballot, false)).status).toBe(204)
  expect((await decide(999_999, false)).status).toBe(404)
  expect((await listFlags(id)).map(({ decision }) => [decision?.keep, decision?.by])).toEqual([
    [true, 'admin'],
    [false, 'admin'],
  ])
  await finalizeDueChallenges(db, CLOSES + MINUTE_MS)
  expect(await readChallenge(id)).toMatchObject({ ballots: 3, excluded: 1, votes: '1,1' })
  expect(await statusAndCodeOf(await decide(first?.ballot, true))).toEqual([409, 'conflict'])
  const text = await (await send('GET', `/api/challenges/${id}/tally.csv`, undefined, { at: PUBLISHED_AT })).text()
  const ballots = parse(text, { bom: true, columns: true }) as Record<string, string>[]
  expect(ballots.map(({ excluded }) => excluded)).toEqual(['new_account', '', ''])
  expect(text).not.toContain('Ana')
  const auditEntries = await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ?1 ORDER BY id')
    .bind(`ballot:${first?.ballot}`)
    .all<{ action: string }>()
  expect(auditEntries.results.map(({ action }) => action)).toEqual(['ballot.kept', 'ballot.excluded'])
})

test('accepts ballots flagged only as new accounts, with one reason', async () => {
  const id = await addVotingChallenge()
  for (let n = 0; n < 3; n++) await vote(id, { signedUpAt: OPENS })
  await vote(id, { signedUpAt: OPENS, finalist: '=bo' })
  const [latest] = await listFlags(id)
  await env.DB.prepare('UPDATE ballot_flags SET is_shared_device = 1 WHERE ballot_id = ?1').bind(latest?.ballot).run()
  const summary = async () =>
    (await (await request('GET', '')).json<{ id: string; openFlags: number; openNewAccounts: number }[]>()).find(
      (challenge) => challenge.id === id,
    )
  expect(await summary()).toMatchObject({ openFlags: 4, openNewAccounts: 3 })
  const acceptAll = () => request('POST', `${id}/flags`, { reason: 'Fans sign up to vote.' })
  expect([await (await acceptAll()).json(), await (await acceptAll()).json()]).toEqual([{ kept: 3 }, { kept: 0 }])
  expect(await summary()).toMatchObject({ openFlags: 1, openNewAccounts: 0, excluded: 0 })
  expect((await listFlags(id)).map(({ decision }) => decision?.reason)).toEqual([
    undefined,
    ...Array(3).fill('Fans sign up to vote.'),
  ])
  const auditEntries = await env.DB.prepare(
    "SELECT detail FROM audit_log WHERE action = 'ballots.kept' AND subject = ?1",
  )
    .bind(`challenge:${id}`)
    .all<{ detail: string }>()
  expect(auditEntries.results.map(({ detail }) => JSON.parse(detail))).toEqual([
    { reason: 'Fans sign up to vote.', many: 3 },
  ])
  await request('POST', `${id}/seal`)
  expect(await statusAndCodeOf(await acceptAll())).toEqual([409, 'conflict'])
})

test('reopens an accepted ballot for a new kind of flag', async () => {
  const id = await addVotingChallenge()
  const at = OPENS + 5 * MINUTE_MS
  const burst = { address: '203.0.113.77', signedUpAt: OPENS }
  await vote(id, { ...burst, at })
  expect((await request('POST', `${id}/flags`, { reason: 'Fans sign up to vote.' })).status).toBe(200)
  const [first] = await listFlags(id)
  expect(first?.decision?.keep).toBe(true)
  for (let n = 1; n < limits.voteBurstThreshold; n++) await vote(id, { ...burst, at: at + n })
  const again = (await listFlags(id)).find(({ ballot }) => ballot === first?.ballot)
  expect(again).toMatchObject({ kinds: ['burst', 'new_account'], decision: null })
  const path = `${id}/flags/${first?.ballot}`
  expect((await request('POST', path, { keep: true, reason: 'A school.' })).status).toBe(204)
  await vote(id, { ...burst, at: at + 1000 })
  expect((await listFlags(id)).find(({ ballot }) => ballot === first?.ballot)?.decision?.keep).toBe(true)
})

test('computes a stable digest', async () => {
  const id = 'pinned'
  await addChallenge(id, { finalists: ['ada', '=bo, "B"'] })
  await env.DB.prepare(
    `INSERT INTO challenge_ballots (id, challenge_id, finalist_id, cast_at, voter_pseudonym, excluded_for) VALUES
     (900001, ?1, ?1 || '-ada', 1752728400123, 'aa11', NULL), (900002, ?1, ?1 || '-=bo, "B"', 1752728400124, 'bb22', 'burst')`,
  )
    .bind(id)
    .run()
  expect(await digestTally(db, id)).toEqual({
    sha256: '208478446da2cd77b5b14634251fc127ba8c85f0ca7c5694db005d3e4a1ecd2d',
    ballots: 2,
    excluded: 1,
  })
})

test('counts undecided ballots after the winner’s day', async () => {
  const id = await addVotingChallenge()
  await vote(id, { signedUpAt: OPENS })
  await finalizeDueChallenges(db, PUBLISHED_AT - 1)
  expect(await readChallenge(id)).toMatchObject({ sealedAt: null })
  await finalizeDueChallenges(db, PUBLISHED_AT)
  expect(await readChallenge(id)).toMatchObject({ sealedAt: PUBLISHED_AT, ballots: 1, excluded: 0, votes: '1,0' })
})

test('hides votes per finalist until votes are final', async () => {
  const id = await addVotingChallenge()
  await vote(id, { finalist: '=bo' })
  const list = await (await request('GET', '', undefined, OPENS + MINUTE_MS)).text()
  const before = (JSON.parse(list) as { id: string; votes: number; finalists: { votes: unknown }[] }[]).find(
    (challenge) => challenge.id === id,
  )
  expect([before?.votes, before?.finalists.map(({ votes }) => votes)]).toEqual([1, [null, null]])
  // Exports leave out the ballots too.
  const exportedCount = await env.DB.prepare(
    `SELECT count(*) AS n FROM challenge_ballots row WHERE challenge_id = ?1 AND ${EXPORT_SOURCES['golden-verse-votes'].where}`,
  )
    .bind(id)
    .first('n')
  expect(exportedCount).toBe(0)
})
