import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { banSupporter, unbanSupporter } from '../admin/supporters'
import type { MyBallot, MyChallenge, PublicChallenge } from '../contract/challenge'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { errorOf, getJson, newBrowser, newIsolate, send, statusAndCodeOf } from '../testing/client'
import { addChallenge, DAYS_2025, db } from '../testing/fixtures'
import { seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession, logInWithPassword, uniqueIp } from '../testing/users'
import { listAdminChallenges } from './admin-challenges'
import { verseSubmissions } from './challenge.table'
import { timestampsOf } from './challenge-state'
import { finalizeDueChallenges } from './finalize'

const { votingOpensAt: OPENS, votingClosesAt: CLOSES } = timestampsOf(DAYS_2025, 'America/New_York')
const MID_VOTING = OPENS + DAY_MS

let challengeCount = 0
async function addVotingChallenge(row: Parameters<typeof addChallenge>[1] = {}): Promise<string> {
  const id = `vote${++challengeCount}`
  await addChallenge(id, { finalists: ['ada', 'bo'], ...row })
  return id
}
let voterCount = 0
async function addVoter(row: Parameters<typeof addNamedUser>[1] = {}): Promise<string> {
  const name = `voter${++voterCount}`
  await addNamedUser(name, { mailboxKey: `${name}@fan.example`, ...row })
  return name
}
const browserFor = (name: string, at: number, options = {}) => browserWithSession(name, { at, ...options })
async function vote(
  id: string,
  { name, at = MID_VOTING, finalist = 'ada' }: { name?: string; at?: number; finalist?: string } = {},
) {
  const browser = await browserFor(name ?? (await addVoter()), at)
  return browser.send('POST', `/api/challenges/${id}/vote`, { finalistId: `${id}-${finalist}` })
}
const countBallots = async (id: string) =>
  (
    await env.DB.prepare('SELECT count(*) AS n FROM challenge_ballots WHERE challenge_id = ?1')
      .bind(id)
      .first<{ n: number }>()
  )?.n

beforeAll(() => seedSite(env.DB))

test('accepts votes exactly within the voting period', async () => {
  const id = await addVotingChallenge()
  const outcomes = []
  for (const at of [OPENS - 1, OPENS, CLOSES - 1, CLOSES, CLOSES + 1]) {
    const response = await vote(id, { at })
    outcomes.push([response.status, await response.text()].slice(0, response.ok ? 1 : 2))
  }
  expect(outcomes).toEqual([
    [410, 'Voting has not opened yet.'],
    [200],
    [200],
    [410, 'Voting has closed.'],
    [410, 'Voting has closed.'],
  ])
  expect(await countBallots(id)).toBe(2)
})

test('rejects votes while submissions are open', async () => {
  const id = await addVotingChallenge()
  await env.DB.prepare('UPDATE challenges SET submissions_close_at = ?2 WHERE id = ?1')
    .bind(id, MID_VOTING + 1)
    .run()
  expect(await errorOf(await vote(id))).toEqual([410, 'closed', 'Voting has not opened yet.'])
  expect((await vote(id, { at: MID_VOTING + 1 })).status).toBe(200)
})

test('counts one of fifty concurrent votes', async () => {
  const id = await addVotingChallenge()
  const name = await addVoter()
  const browser = await browserFor(name, MID_VOTING)
  // All requests must reach the INSERT of the ballot, so the rate limit is off.
  const unlimited = { LIMIT_WRITES: { limit: async () => ({ success: true }) } as unknown as RateLimit }
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      browser.send(
        'POST',
        `/api/challenges/${id}/vote`,
        { finalistId: `${id}-${i % 2 ? 'ada' : 'bo'}` },
        { env: unlimited },
      ),
    ),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(49)
  expect(await countBallots(id)).toBe(1)
  const ballot = await responses.find(({ status }) => status === 200)?.json<MyBallot>()
  expect(ballot?.pseudonym).toMatch(/^[0-9a-f]{32}$/)
  const myChallenge = await (await browser.send('GET', `/api/challenges/${id}/mine`)).json<MyChallenge>()
  expect(myChallenge.ballot).toEqual(ballot)
  const counted = 'SELECT sum(votes) AS votes FROM challenge_finalists WHERE challenge_id = ?1'
  expect(await env.DB.prepare(counted).bind(id).first('votes')).toBe(1)
})

test('counts one vote per mailbox across accounts and aliases', async () => {
  const id = await addVotingChallenge()
  const mailboxKey = 'one@mail.example'
  const [first, second, third] = [
    await addVoter({ mailboxKey }),
    await addVoter({ mailboxKey }),
    await addVoter({ mailboxKey }),
  ]
  expect((await vote(id, { name: first })).status).toBe(200)
  expect(await statusAndCodeOf(await vote(id, { name: second }))).toEqual([409, 'already_voted'])
  await env.DB.prepare('UPDATE users SET mailbox_key = NULL, erased_at = 1 WHERE username = ?1').bind(first).run()
  expect((await vote(id, { name: third })).status).toBe(409)
  expect(await countBallots(id)).toBe(1)
})

test('rejects unconfirmed, banned, administrator and erased voters', async () => {
  const id = await addVotingChallenge()
  const errors = []
  for (const row of [{ emailVerifiedAt: null }, { bannedAt: 1 }, { role: 'administrator' as const }])
    errors.push(await statusAndCodeOf(await vote(id, { name: await addVoter(row) })))
  expect(errors).toEqual([
    [403, 'confirm_email'],
    [403, 'forbidden'],
    [403, 'forbidden'],
  ])
  const erased = await addVoter()
  const browser = await browserFor(erased, MID_VOTING)
  await env.DB.prepare('UPDATE users SET erased_at = 1 WHERE username = ?1').bind(erased).run()
  const response = await browser.send('POST', `/api/challenges/${id}/vote`, { finalistId: `${id}-ada` })
  expect(response.status).toBe(401)
  expect(await countBallots(id)).toBe(0)
})

test('rejects unknown finalists and challenges', async () => {
  const [id, other] = [await addVotingChallenge(), await addVotingChallenge()]
  const name = await addVoter()
  const sendVote = async (path: string, finalistId: string) =>
    await statusAndCodeOf(await (await browserFor(name, MID_VOTING)).send('POST', path, { finalistId }))
  expect(await sendVote(`/api/challenges/${id}/vote`, `${other}-ada`)).toEqual([400, 'unknown_option'])
  expect(await sendVote('/api/challenges/none/vote', `${other}-ada`)).toEqual([404, 'not_found'])
  const singleFinalist = await addVotingChallenge({ finalists: ['ada'] })
  expect(await sendVote(`/api/challenges/${singleFinalist}/vote`, `${singleFinalist}-ada`)).toEqual([410, 'closed'])
})

test('rejects votes after the signing secret changed', async () => {
  const otherSecret = 'another-secret-of-the-tests-0123456789'
  const id = await addVotingChallenge()
  const name = await addVoter()
  expect((await vote(id, { name })).status).toBe(200)
  const response = await (await browserFor(name, MID_VOTING)).send(
    'POST',
    `/api/challenges/${id}/vote`,
    { finalistId: `${id}-ada` },
    { env: { SIGNING_SECRET: otherSecret } },
  )
  expect(await statusAndCodeOf(response)).toEqual([503, 'unavailable'])
  expect(await countBallots(id)).toBe(1)
  // Callers and admins see that this challenge's votes cannot be looked up. Other challenges are not affected.
  const other = await addVotingChallenge()
  const lookUpVote = async (secret: string, challengeId: string) => {
    const options = { env: { SIGNING_SECRET: secret } }
    const supporter = await browserFor(name, MID_VOTING)
    const myChallenge = await supporter.send('GET', `/api/challenges/${challengeId}/mine`, undefined, options)
    const { ballot, isRekeyed } = await myChallenge.json<MyChallenge>()
    return [
      ballot !== null,
      isRekeyed,
      (await listAdminChallenges({ db, secret }, MID_VOTING)).find(({ id }) => id === challengeId)?.isRekeyed,
    ]
  }
  expect(await lookUpVote(otherSecret, id)).toEqual([false, true, true])
  expect(await lookUpVote(env.SIGNING_SECRET, id)).toEqual([true, false, false])
  expect(await lookUpVote(otherSecret, other)).toEqual([false, false, false])
})

test('stores no reference to the voter', async () => {
  const id = await addVotingChallenge()
  const name = await addVoter()
  await vote(id, { name })
  const row = await env.DB.prepare('SELECT * FROM challenge_ballots WHERE challenge_id = ?1').bind(id).first()
  expect(Object.keys(row ?? {}).sort()).toEqual(
    ['cast_at', 'challenge_id', 'excluded_for', 'finalist_id', 'id', 'voter_pseudonym'].sort(),
  )
  const fingerprints = JSON.stringify(
    await env.DB.prepare('SELECT * FROM ballot_marks WHERE challenge_id = ?1').bind(id).first(),
  )
  expect(fingerprints).not.toMatch(/198\.51|fan\.example|voter/)
  const other = await addVotingChallenge()
  await vote(other, { name })
  const pseudonyms = env.DB.prepare(
    'SELECT count(DISTINCT voter_pseudonym) AS n FROM challenge_ballots WHERE challenge_id IN (?1, ?2)',
  ).bind(id, other)
  expect(await pseudonyms.first('n')).toBe(2)
})

test('counts or rejects each vote concurrent with finalization', async () => {
  const id = await addVotingChallenge()
  const names = await Promise.all(Array.from({ length: 20 }, () => addVoter()))
  const browsers = await Promise.all(names.map((name) => browserFor(name, CLOSES - 1)))
  const racing = browsers.map((browser) =>
    browser.send('POST', `/api/challenges/${id}/vote`, { finalistId: `${id}-bo` }),
  )
  // An isolate whose clock runs fast finalizes the challenge while votes still arrive.
  const [responses] = await Promise.all([Promise.all(racing), finalizeDueChallenges(db, CLOSES)])
  const accepted = responses.filter(({ status }) => status === 200).length
  expect(responses.every(({ status }) => status === 200 || status === 410)).toBe(true)
  await finalizeDueChallenges(db, CLOSES)
  const row = await env.DB.prepare('SELECT ballots_count AS ballots FROM challenges WHERE id = ?1').bind(id).first()
  expect([row?.ballots, await countBallots(id)]).toEqual([accepted, accepted])
  expect((await vote(id, { at: CLOSES - 1 })).status).toBe(410)
})

/** Ends all challenges, so that the next one added is the current one. */
const endOtherChallenges = () =>
  env.DB.prepare(
    'UPDATE challenges SET publish_at = 0, voting_closes_at = iif(sealed_at IS NULL, 0, voting_closes_at)',
  ).run()

test('publishes finalists and vote counts on their scheduled days', async () => {
  const challengeAt = (time: number) => getJson<PublicChallenge>('/api/challenge/current', { at: time })
  await endOtherChallenges()
  const id = await addVotingChallenge({ winnerOn: '2025-07-22' })
  expect(await challengeAt(OPENS - 1)).toMatchObject({
    id,
    state: 'submissions',
    finalists: [],
    seal: null,
    results: null,
  })
  await vote(id, { finalist: 'bo' })
  expect(await challengeAt(MID_VOTING)).toMatchObject({
    state: 'voting',
    finalists: [
      { id: `${id}-ada`, name: 'ada', audioUrl: null },
      { id: `${id}-bo`, name: 'bo', audioUrl: null },
    ],
    results: null,
  })
  await finalizeDueChallenges(db, CLOSES)
  const closed = await challengeAt(CLOSES + HOUR_MS)
  expect([closed.state, closed.seal?.ballots, closed.results]).toEqual(['closed', 1, null])
  expect(JSON.stringify(closed)).not.toContain('"votes"')
  const published = await challengeAt(CLOSES + 2 * DAY_MS)
  expect(published).toMatchObject({
    state: 'published',
    results: { finalists: [{ name: 'bo', votes: 1, percent: 100 }, { name: 'ada' }], counted: 1, excluded: 0 },
  })
})

test('hides the finalist of a banned account until unbanned', async () => {
  await endOtherChallenges()
  const id = await addVotingChallenge()
  const { id: userId } = await addNamedUser('singer')
  await db.insert(verseSubmissions).values({
    id: 'sung',
    challengeId: id,
    name: 'Singer',
    email: 'singer@fan.example',
    phoneNumber: '',
    submittedAt: 0,
    userId,
    audioKey: 'uploads/sung',
  })
  await env.DB.prepare("UPDATE challenge_finalists SET submission_id = 'sung' WHERE id = ?1").bind(`${id}-ada`).run()
  const isolate = newIsolate()
  const names = async (at = MID_VOTING) => {
    const response = await isolate.request('/api/challenge/current', {}, at)
    return (await response.json<PublicChallenge>()).finalists.map(({ name }) => name)
  }
  expect((await vote(id, { finalist: 'ada' })).status).toBe(200)
  expect(await names()).toEqual(['ada', 'bo'])
  await banSupporter(db, userId, 'A script', { actorId: userId, at: MID_VOTING })
  // An isolate checks the data version every few seconds.
  expect(await names(MID_VOTING + HOUR_MS)).toEqual(['bo'])
  expect((await errorOf(await vote(id, { finalist: 'ada' })))[1]).toBe('unknown_option')
  expect((await send('GET', `/api/challenge/finalists/${id}-ada/audio`, undefined, { at: MID_VOTING })).status).toBe(
    404,
  )
  await finalizeDueChallenges(db, CLOSES)
  expect(await names(CLOSES + DAY_MS)).toEqual(['A hidden finalist', 'bo'])
  expect((await getJson<{ winner: string }>('/api/challenge', { at: CLOSES + DAY_MS })).winner).toBe(
    'A hidden finalist',
  )
  await unbanSupporter(db, userId, { actorId: userId, at: CLOSES })
  expect(await names(CLOSES + 2 * DAY_MS)).toEqual(['ada', 'bo'])
})

test('finished challenges remain at their URL', async () => {
  await endOtherChallenges()
  const [id, next, name] = [
    await addVotingChallenge(),
    await addVotingChallenge({ winnerOn: '2026-07-20' }),
    await addVoter(),
  ]
  const cast = await (await vote(id, { name })).json<MyBallot>()
  await env.DB.prepare('UPDATE challenges SET voting_closes_at = ?2, publish_at = ?2 WHERE id = ?1')
    .bind(next, CLOSES + 9 * DAY_MS)
    .run()
  await finalizeDueChallenges(db, CLOSES)
  const at = CLOSES + DAY_MS
  const current = await getJson<PublicChallenge>('/api/challenge/current', { at })
  expect(current.id).toBe(next)
  expect(current.others[0]).toEqual({ id, title: `Challenge ${id}`, date: '2025-07-20' })
  const old = await getJson<PublicChallenge>(`/api/challenges/${id}`, { at })
  expect(old).toMatchObject({ id, state: 'published', seal: { ballots: 1 }, results: { counted: 1 } })
  expect(old.others.map((challenge) => challenge.id)).not.toContain(id)
  const myChallenge = await (await browserFor(name, at)).send('GET', `/api/challenges/${id}/mine`)
  expect((await myChallenge.json<MyChallenge>()).ballot).toEqual(cast)
  const page = (path: string) => send('GET', path, undefined, { at })
  expect(await (await page(`/challenge/${id}`)).text()).toContain(`<title>Challenge ${id} | `)
  expect(await (await page('/sitemap.xml')).text()).toContain(`/challenge/${id}</loc>`)
  await env.DB.prepare('UPDATE challenges SET removed_at = 1 WHERE id = ?1').bind(id).run()
  for (const path of [`/challenge/${id}`, `/api/challenges/${id}`, '/challenge/none', '/api/challenges/none'])
    expect([path, (await page(path)).status]).toEqual([path, 404])
})

test('exports a user’s vote under its pseudonym', async () => {
  const [id, name] = [await addVotingChallenge(), await addVoter()]
  const { pseudonym } = await (await vote(id, { name })).json<MyBallot>()
  const browser = await logInWithPassword(name, { at: MID_VOTING })
  const file = await (await browser.send('GET', '/api/account/export')).json<{ challengeVotes: unknown }>()
  expect(file.challengeVotes).toEqual([
    { challenge: `Challenge ${id}`, finalist: 'ada', pseudonym, cast_at: new Date(MID_VOTING).toISOString() },
  ])
})

test('asks visitors to sign up', async () => {
  const response = await newBrowser({ address: uniqueIp(), at: MID_VOTING }).send('POST', '/api/challenges/x/vote', {
    finalistId: 'x',
  })
  expect(await errorOf(response)).toEqual([401, 'signed_out', 'Please sign up or login to vote'])
})
