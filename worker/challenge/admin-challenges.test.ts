import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { AdminChallenge } from '../contract/admin-challenge'
import type { PublicChallenge } from '../contract/challenge'
import { uploadsApi } from '../contract/uploads'
import { eraseUser } from '../gdpr/erase-user'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { errorOf, getJson, send, statusAndCodeOf } from '../testing/client'
import { CHALLENGE_DRAFT } from '../testing/drafts'
import { buildMp3 } from '../testing/files'
import { addChallenge, DAYS_JULY_2026, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, browserWithSession } from '../testing/users'
import { deleteUnreferencedUploads } from '../uploads/cleanup'
import { timestampsOf } from './challenge-state'
import { finalizeDueChallenges } from './finalize'

const request = async (method: string, path: string, body?: unknown, { at = NOON, as = 'admin' } = {}) =>
  (await browserWithSession(as, { as: 'administrator', at })).send(method, `/api/admin/challenges${path}`, body)
const getAdminChallenge = async (id: string, at = NOON) =>
  (await (await request('GET', '', undefined, { at })).json<AdminChallenge[]>()).find(
    (challenge) => challenge.id === id,
  )
const createChallenge = async () => (await (await request('POST', '', CHALLENGE_DRAFT)).json<{ id: string }>()).id
const readAuditEntries = async (id: string) =>
  (
    await env.DB.prepare('SELECT action, detail FROM audit_log WHERE subject = ?1 ORDER BY id')
      .bind(`challenge:${id}`)
      .all<{ action: string; detail: string }>()
  ).results
const FINALISTS = {
  was: [] as string[],
  finalists: [
    { name: 'Ada', submissionId: null },
    { name: 'Bo', submissionId: null },
  ],
}

beforeAll(async () => {
  await seedSite(env.DB)
  for (const name of ['admin', 'other']) await addNamedUser(name, { role: 'administrator' })
})

test('publishes, removes and restores a challenge', async () => {
  const id = await createChallenge()
  expect(await getAdminChallenge(id)).toEqual({
    id,
    ...CHALLENGE_DRAFT,
    state: 'announced',
    fixed: [],
    submissions: 0,
    finalists: [],
    votes: 0,
    excluded: 0,
    openFlags: 0,
    openNewAccounts: 0,
    opensByHand: false,
    isRekeyed: false,
    seal: null,
    version: 1,
  })
  const current = await getJson<PublicChallenge>('/api/challenge/current', { at: NOON })
  expect(current).toMatchObject({ id, state: 'announced', submissionsOpenAt: '2026-07-02T04:00:00.000Z' })
  expect((await request('DELETE', `/${id}`)).status).toBe(204)
  expect(await getAdminChallenge(id)).toBeUndefined()
  expect((await request('PATCH', `/${id}`, CHALLENGE_DRAFT)).status).toBe(404)
  expect((await request('POST', `/${id}/restore`)).status).toBe(204)
  expect((await getAdminChallenge(id))?.title).toBe(CHALLENGE_DRAFT.title)
  await request('DELETE', `/${id}`)
})

test.each([
  [{ votingFrom: '2026-01-01' }, 'Voting can’t begin before the finalists are named.'],
  [{ winnerOn: '2026-02-30' }, 'There is no such day.'],
  [{ prize: '' }, 'The prize is required.'],
  [{ votingFrom: '2026-07-16', finalistsOn: '2026-07-16' }, 'Voting must begin after the last day of submissions.'],
])('rejects a challenge with %j', async (wrong, message) => {
  expect(await errorOf(await request('POST', '', { ...CHALLENGE_DRAFT, ...wrong }))).toEqual([
    400,
    'bad_input',
    message,
  ])
})

test('advances through all states manually and audits each', async () => {
  const id = await createChallenge()
  const move = async (from: string, at: number) => {
    const response = await request('POST', `/${id}/move`, { from }, { at })
    return response.ok ? (await response.json<{ state: string }>()).state : await statusAndCodeOf(response)
  }
  expect(await move('announced', NOON)).toBe('submissions')
  expect(await move('announced', NOON)).toEqual([409, 'conflict'])
  expect(
    (await request('PATCH', `/${id}`, { ...CHALLENGE_DRAFT, submissionsFrom: '2026-07-01', prize: '$5' })).status,
  ).toBe(409)
  expect(await move('submissions', NOON + 1)).toBe('finalists')
  expect(await move('finalists', NOON + 2)).toEqual([409, 'conflict'])
  expect((await request('POST', `/${id}/finalists`, FINALISTS, { at: NOON + 2 })).status).toBe(204)
  expect(await move('finalists', NOON + 3)).toBe('voting')
  expect((await request('POST', `/${id}/finalists`, FINALISTS, { at: NOON + 4 })).status).toBe(409)
  expect((await request('POST', `/${id}/seal`, undefined, { at: NOON + 4 })).status).toBe(409)
  expect(await move('voting', NOON + 5)).toBe('closed')
  expect(await move('closed', NOON + 6)).toEqual([409, 'conflict'])
  expect((await request('POST', `/${id}/seal`, undefined, { at: NOON + 7 })).status).toBe(200)
  expect(await move('closed', NOON + 8)).toBe('published')
  expect(await move('published', NOON + 9)).toEqual([409, 'conflict'])
  expect(await getAdminChallenge(id, NOON + 9)).toMatchObject({
    state: 'published',
    submissionsFrom: '2026-07-01',
    votingUntil: '2026-07-01',
    winnerOn: '2026-07-01',
    finalists: [
      { name: 'Ada', votes: 0 },
      { name: 'Bo', votes: 0 },
    ],
  })
  expect(
    (await readAuditEntries(id)).map(({ action, detail }) => `${action} ${JSON.parse(detail).to ?? ''}`.trim()),
  ).toEqual([
    'challenge.added',
    'challenge.moved_on submissions',
    'challenge.moved_on finalists',
    'challenge.finalists_named',
    'challenge.moved_on voting',
    'challenge.moved_on closed',
    'challenge.sealed',
    'challenge.moved_on published',
  ])
})

test('advances one state for four concurrent calls', async () => {
  const id = await createChallenge()
  const responses = await Promise.all(
    ['admin', 'other', 'admin', 'other'].map((as) => request('POST', `/${id}/move`, { from: 'announced' }, { as })),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect((await readAuditEntries(id)).filter(({ action }) => action === 'challenge.moved_on')).toHaveLength(1)
  expect((await getAdminChallenge(id))?.state).toBe('submissions')
})

test('changes only future days', async () => {
  const id = 'days'
  await addChallenge(id, DAYS_JULY_2026)
  const { title, prize, rules, ...days } = {
    title: 'Challenge days',
    prize: 'A prize',
    rules: 'Be kind.',
    ...DAYS_JULY_2026,
  }
  const change = async (dayChanges: Partial<typeof days>, otherChanges = {}) =>
    (await request('PATCH', `/${id}`, { title, prize, rules, beat: null, ...days, ...dayChanges, ...otherChanges }))
      .status
  expect(await change({ submissionsFrom: '2026-06-30' })).toBe(409)
  expect(await change({}, { rules: 'Other rules.' })).toBe(409)
  expect(await change({ submissionsUntil: '2026-07-01', finalistsOn: '2026-07-01', votingFrom: '2026-07-01' })).toBe(
    400,
  )
  expect(await change({ votingUntil: '2026-07-18', winnerOn: '2026-07-19' }, { title: 'Renamed' })).toBe(204)
  const current = await getAdminChallenge(id)
  expect([current?.title, current?.votingUntil, current?.fixed]).toEqual(['Renamed', '2026-07-18', ['submissionsFrom']])
  const selectVotingClose = 'SELECT voting_closes_at AS at FROM challenges WHERE id = ?1'
  expect(await env.DB.prepare(selectVotingClose).bind(id).first('at')).toBe(Date.parse('2026-07-19T04:00:00Z'))
})

test('audits changes and locks the title once votes are final', async () => {
  const id = await createChallenge()
  const change = (changes: Partial<typeof CHALLENGE_DRAFT>, at = NOON) =>
    request('PATCH', `/${id}`, { ...CHALLENGE_DRAFT, ...changes }, { at })
  expect((await change({ title: 'New', prize: '$5', rules: 'None.' })).status).toBe(204)
  expect(JSON.parse((await readAuditEntries(id)).at(-1)?.detail ?? '')).toEqual({
    title: 'New',
    prize: '$5',
    rules: 'None.',
  })
  await env.DB.prepare('UPDATE challenges SET sealed_at = ?2 WHERE id = ?1').bind(id, NOON).run()
  expect(await errorOf(await change({ title: 'Newer', prize: '$5', rules: 'None.' }))).toEqual([
    409,
    'conflict',
    'The votes are final, so the title can no longer change.',
  ])
})

test('serves the beat and locks it once submissions open', async () => {
  const admin = await browserWithSession('admin', { as: 'administrator', at: NOON })
  const uploadBeat = async () => {
    const raw = { raw: buildMp3(2000), headers: { 'content-type': 'audio/mpeg' } }
    return (await (await admin.send('POST', uploadsApi.audio.path, undefined, raw)).json<{ audio: string }>()).audio
  }
  const beat = await uploadBeat()
  const id = 'with-beat'
  await addChallenge(id, { ...DAYS_JULY_2026, title: 'Open Verse: Second Half' })
  const draft = {
    ...CHALLENGE_DRAFT,
    ...DAYS_JULY_2026,
    title: 'Open Verse: Second Half',
    prize: 'A prize',
    rules: 'Be kind.',
  }
  const change = (changes: Partial<typeof CHALLENGE_DRAFT>) => request('PATCH', `/${id}`, { ...draft, ...changes })
  expect((await send('GET', `/api/challenges/${id}/beat`)).status).toBe(404)
  expect(await errorOf(await change({ beat: 'exports/ballots.csv' }))).toEqual([
    400,
    'bad_input',
    'That recording is gone. Please send it again.',
  ])
  expect((await change({ beat })).status).toBe(204)
  expect(JSON.parse((await readAuditEntries(id)).at(-1)?.detail ?? '')).toEqual({ beat })
  expect(await errorOf(await change({ beat: await uploadBeat() }))).toEqual([
    409,
    'conflict',
    'People record their verses over this beat, so it can no longer change.',
  ])
  expect((await change({ beat: null })).status).toBe(409)
  expect((await change({ beat })).status).toBe(204)

  // The cleanup of uploads does not delete the challenge's beat.
  while ((await deleteUnreferencedUploads({ db, files: env.FILES }, NOON + 3 * DAY_MS)).more);
  const { beatUrl } = await getJson<PublicChallenge>(`/api/challenges/${id}`, { at: NOON })
  const played = await send('GET', beatUrl ?? '')
  expect([played.status, played.headers.get('content-disposition'), played.headers.get('set-cookie')]).toEqual([
    200,
    null,
    null,
  ])
  const download = await send('GET', `${beatUrl}?download`)
  expect(download.headers.get('content-disposition')).toBe('attachment; filename="open-verse-second-half-beat.mp3"')
})

test('accepts distinct finalists of this challenge only', async () => {
  const id = 'named'
  await addChallenge(id, DAYS_JULY_2026)
  const setFinalists = async (...finalists: { name: string; submissionId: string | null }[]) =>
    await statusAndCodeOf(await request('POST', `/${id}/finalists`, { was: [], finalists }))
  expect(await setFinalists({ name: 'A', submissionId: 'none' })).toEqual([404, 'not_found'])
  expect(await setFinalists({ name: 'A', submissionId: null }, { name: 'a', submissionId: null })).toEqual([
    400,
    'bad_input',
  ])
  expect((await request('POST', `/${id}/finalists`, FINALISTS)).status).toBe(204)
  expect((await getAdminChallenge(id))?.finalists.map((finalist) => finalist.name)).toEqual(['Ada', 'Bo'])
  const duringVoting = { at: NOON + 11 * DAY_MS + HOUR_MS }
  expect((await request('POST', `/${id}/finalists`, FINALISTS, duringVoting)).status).toBe(409)
})

test('rejects the second of two concurrent finalist lists', async () => {
  const id = 'both'
  await addChallenge(id, DAYS_JULY_2026)
  const list = async () => (await getAdminChallenge(id))?.finalists ?? []
  const saveFinalists = async (was: readonly { id: string }[], names: string[], as = 'admin') =>
    request(
      'POST',
      `/${id}/finalists`,
      { was: was.map((finalist) => finalist.id), finalists: names.map((name) => ({ name, submissionId: null })) },
      { as },
    )
  const responses = await Promise.all([saveFinalists([], ['Ada'], 'admin'), saveFinalists([], ['Bo'], 'other')])
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 409])
  const [first] = await list()
  expect((await saveFinalists(await list(), ['Ada', 'Bo'])).status).toBe(204)
  const finalists = await list()
  expect(await errorOf(await saveFinalists([first as { id: string }], ['Cy'], 'other'))).toEqual([
    409,
    'conflict',
    'Someone changed the list in the meantime: Ada and Bo. Please check again.',
  ])
  expect(await errorOf(await saveFinalists([], ['Cy'], 'other'))).toEqual([
    409,
    'conflict',
    expect.stringContaining('Ada and Bo'),
  ])
  expect(await list()).toEqual(finalists)
  expect((await saveFinalists(finalists, [])).status).toBe(204)
  expect(await errorOf(await saveFinalists(finalists, ['Cy'], 'other'))).toEqual([
    409,
    'conflict',
    'Someone removed all finalists in the meantime. Please check again.',
  ])
  expect(await list()).toEqual([])
  expect((await readAuditEntries(id)).map(({ detail }) => JSON.parse(detail).names).slice(1)).toEqual([
    'Ada, Bo',
    undefined,
  ])
})

test('requires manual opening when finalists are named late', async () => {
  const id = 'belated'
  await addChallenge(id, DAYS_JULY_2026)
  const late = { at: NOON + 10 * DAY_MS + HOUR_MS }
  const { votingOpensAt, votingClosesAt } = timestampsOf(DAYS_JULY_2026, 'America/New_York')
  const nameFinalists = async (names: string[], at = late.at) => {
    const was = (await getAdminChallenge(id))?.finalists.map((finalist) => finalist.id)
    const draft = { was, finalists: names.map((name) => ({ name, submissionId: null })) }
    return errorMessage(await request('POST', `/${id}/finalists`, draft, { at }))
  }
  const move = async (at: number) => errorMessage(await request('POST', `/${id}/move`, { from: 'finalists' }, { at }))
  const errorMessage = async (response: Response) => (response.ok ? null : (await errorOf(response))[2])
  expect(await nameFinalists(['Ada'], votingOpensAt - 1)).toBeNull()
  expect(await getAdminChallenge(id, late.at)).toMatchObject({ state: 'finalists', opensByHand: true })
  for (const names of [
    ['Ada', 'Bo'],
    ['Ada', 'Bo', 'Cy'],
  ]) {
    expect(await nameFinalists(names)).toBeNull()
    expect(await getAdminChallenge(id, late.at + HOUR_MS)).toMatchObject({ state: 'finalists', opensByHand: true })
  }
  await addNamedUser('early', { mailboxKey: 'early@fan.example' })
  const finalistId = (await getAdminChallenge(id))?.finalists[0]?.id
  const vote = async (at: number) =>
    errorMessage(
      await (await browserWithSession('early', { at })).send('POST', `/api/challenges/${id}/vote`, { finalistId }),
    )
  expect(await vote(late.at + HOUR_MS)).toBe('Voting has not opened yet.')
  // If voting is not opened until its end, nothing is counted, and neither finalists nor state can change.
  await finalizeDueChallenges(db, votingClosesAt)
  expect(await getAdminChallenge(id, votingClosesAt)).toMatchObject({ state: 'finalists', seal: null })
  expect(await nameFinalists(['Ada', 'Bo'], votingClosesAt)).toMatch(/^The voting days have passed\./)
  expect(await move(votingClosesAt)).toMatch(/^The voting days have passed\./)
  const selectVotingStart = 'SELECT voting_opens_at AS at, voting_from AS day FROM challenges WHERE id = ?1'
  // Back on a voting day.
  expect(await move(late.at + 2 * HOUR_MS)).toBeNull()
  expect(await env.DB.prepare(selectVotingStart).bind(id).first()).toEqual({
    at: late.at + 2 * HOUR_MS,
    day: '2026-07-11',
  })
  expect(await getAdminChallenge(id, late.at + 2 * HOUR_MS)).toMatchObject({ state: 'voting', opensByHand: false })
  expect(await vote(late.at + 3 * HOUR_MS)).toBeNull()
  expect(await nameFinalists(['Ada', 'Bo'], late.at + 3 * HOUR_MS)).toMatch(/^Voting has begun/)
})

test('opens voting automatically after postponing it', async () => {
  const id = 'later'
  await addChallenge(id, DAYS_JULY_2026)
  const at = NOON + 10 * DAY_MS + HOUR_MS
  expect((await request('POST', `/${id}/finalists`, FINALISTS, { at })).status).toBe(204)
  const change = async (days: { prize?: string; votingFrom?: string; votingUntil?: string }) => {
    const { title, prize, rules } = (await getAdminChallenge(id)) as AdminChallenge
    const draft = { title, prize, rules, beat: null, ...DAYS_JULY_2026, ...days }
    expect((await request('PATCH', `/${id}`, draft, { at })).status).toBe(204)
    return (await getAdminChallenge(id, NOON + 12 * DAY_MS))?.state
  }
  expect(await change({ votingUntil: '2026-07-15' })).toBe('finalists')
  expect(await change({ votingFrom: '2026-07-12', votingUntil: '2026-07-15' })).toBe('voting')
})

test('removes an erased user from unpublished finalists', async () => {
  for (const [id, days] of [
    ['before-announcement', DAYS_JULY_2026],
    ['after-announcement', { ...DAYS_JULY_2026, submissionsUntil: '2026-06-30', finalistsOn: '2026-06-30' }],
  ] as const) {
    await addChallenge(id, days)
    const { id: userId } = await addNamedUser(`singer-${id}`)
    await env.DB.prepare(
      `INSERT INTO verse_submissions (id, challenge_id, name, email, phone_number, submitted_at, user_id)
       VALUES (?1, ?1, 'Wren', ?1 || '@fan.example', '', 0, ?2)`,
    )
      .bind(id, userId)
      .run()
    const finalists = [{ name: 'Wren', submissionId: id }]
    expect((await request('POST', `/${id}/finalists`, { was: [], finalists })).status).toBe(204)
    await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId, byUserRequest: false }, NOON)
  }
  const nameIn = async (id: string) => (await getAdminChallenge(id))?.finalists.map(({ name }) => name)
  expect([await nameIn('before-announcement'), await nameIn('after-announcement')]).toEqual([[], ['Wren']])
  // The audit log names verses by id, which does not identify an erased user.
  const auditDetail = async (id: string) => JSON.parse((await readAuditEntries(id)).at(-1)?.detail ?? '')
  for (const id of ['before-announcement', 'after-announcement'])
    expect(await auditDetail(id)).toEqual({ finalists: 1, verses: id })
})
