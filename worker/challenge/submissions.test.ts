import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { VerseSubmission } from '../contract/admin-challenge'
import { eraseUser } from '../gdpr/erase-user'
import { getJson, readPages, send, statusAndCodeOf } from '../testing/client'
import { addChallenge, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { addNamedUser, cookieHeaderFor } from '../testing/users'
import { verseSubmissions } from './challenge.table'

let adminHeaders: Record<string, string> = {}
beforeAll(async () => {
  await seedSite(env.DB)
  await addChallenge('1')
  adminHeaders = { cookie: await cookieHeaderFor('administrator') }
  const rows = Array.from({ length: 120 }, (_, i) => ({
    id: `v${i}`,
    challengeId: '1',
    name: i === 7 ? '100% Ünique_Name "Q"' : `Fan ${i}`,
    email: i === 9 ? `${'a-very-long-address'.repeat(4)}@fan.example` : `fan${i}@mail.example`,
    phoneNumber: `+1813555${String(i).padStart(4, '0')}`,
    submittedAt: NOON + Math.floor(i / 3),
  }))
  for (let i = 0; i < rows.length; i += 8) await db.insert(verseSubmissions).values(rows.slice(i, i + 8))
})

const listSubmissions = (search = '') =>
  getJson<VerseSubmission[]>(`/api/verse-submissions${search}`, { at: NOON, headers: adminHeaders })
const findIds = async (q: string) => (await listSubmissions(`?q=${encodeURIComponent(q)}`)).map(({ id }) => id)

test('masks addresses and phone numbers in lists', async () => {
  const text = JSON.stringify(await listSubmissions())
  expect(text).not.toMatch(/fan\d+@|555\d{2}/)
  expect((await listSubmissions('?q=Fan+12'))[0]).toMatchObject({
    email: 'f…@mail.example',
    phoneNumber: '••• ••• ••12',
  })
})

test.each([
  ['FAN12@mail.example', ['v12']],
  ['fan12@mail', []],
  ['FAN 119', ['v119']],
  ['100%', ['v7']],
  ['e_Name', ['v7']],
  ['"Q"', ['v7']],
  ['Ünique', ['v7']],
  [`${'a-very-long-address'.repeat(4)}@fan.example`, ['v9']],
  ["' OR 1=1 --", []],
])('search %j finds %j', async (q, ids) => {
  expect(await findIds(q)).toEqual(ids)
})

test('pages submissions newest first without gaps', async () => {
  const pages = await readPages<VerseSubmission>('/api/verse-submissions', { at: NOON, headers: adminHeaders })
  const ids = pages.flat().map(({ id }) => id)
  expect([ids.length, new Set(ids).size, ids[0]]).toEqual([120, 120, 'v119'])
})

test.each(['1', 'a.b', "1.'", '.', '-1.v'])('rejects cursor %j', async (cursor) => {
  const response = await send('GET', `/api/verse-submissions?cursor=${cursor}`, undefined, {
    at: NOON,
    headers: adminHeaders,
  })
  expect(await statusAndCodeOf(response)).toEqual([400, 'bad_input'])
})

test('rejects an overlong search', async () => {
  const response = await send('GET', `/api/verse-submissions?q=${'x'.repeat(201)}`, undefined, {
    at: NOON,
    headers: adminHeaders,
  })
  expect(await statusAndCodeOf(response)).toEqual([400, 'bad_input'])
})

test('reveals one submission and audits it without contact data', async () => {
  const reveal = (id: string) =>
    send('POST', `/api/verse-submissions/${id}/reveal`, undefined, { at: NOON, headers: adminHeaders })
  expect(await (await reveal('v12')).json()).toMatchObject({ email: 'fan12@mail.example', phoneNumber: '+18135550012' })
  expect((await reveal('none')).status).toBe(404)
  const { results } = await env.DB.prepare("SELECT * FROM audit_log WHERE action = 'submission.revealed'").all()
  expect(results).toMatchObject([{ subject: 'submission:v12', at: NOON }])
  expect(JSON.stringify(results)).not.toContain('fan12')
})

const rateSubmission = (id: string, rating: unknown, as = adminHeaders) =>
  send('POST', `/api/verse-submissions/${id}/rating`, { rating }, { at: NOON, headers: as })
const findVerse = async (id: string) => (await listSubmissions()).find((verse) => verse.id === id)

test('stores concurrent ratings of two team members', async () => {
  const other = { cookie: await cookieHeaderFor('administrator') }
  await Promise.all([rateSubmission('v118', 5), rateSubmission('v118', 2, other), rateSubmission('v118', 4)])
  const verse = await findVerse('v118')
  expect(verse?.ratings).toHaveLength(2)
  expect([4, 5]).toContain(verse?.myRating)
  await rateSubmission('v118', 3)
  expect(await findVerse('v118')).toMatchObject({ myRating: 3, averageRating: 2.5 })
  await rateSubmission('v118', null)
  expect(await findVerse('v118')).toMatchObject({ myRating: null, averageRating: 2 })
})

test('audits a rating once and rejects invalid ones', async () => {
  for (const rating of [5, 5]) expect((await rateSubmission('v30', rating)).status).toBe(200)
  for (const rating of [0, 6, 2.5, '3']) expect((await rateSubmission('v30', rating)).status).toBe(400)
  expect((await rateSubmission('none', 3)).status).toBe(404)
  const { results } = await env.DB.prepare(
    "SELECT subject FROM audit_log WHERE action = 'submission.rated' AND subject IN ('submission:v30', 'submission:none')",
  ).all()
  expect(results).toEqual([{ subject: 'submission:v30' }])
})

test('filters by rating and state, sorts by rating', async () => {
  await rateSubmission('v40', 1)
  await rateSubmission('v41', 5)
  const ids = async (search: string) => (await listSubmissions(search)).map(({ id }) => id)
  expect(await ids('?q=Fan+4&rated=not-by-me')).not.toContain('v40')
  expect(await ids('?q=Fan+4&rated=not-by-me')).toContain('v42')
  expect((await ids('?q=Fan+4&sort=-rating')).slice(0, 2)).toEqual(['v41', 'v40'])
  const { results: finalists } = await env.DB.prepare('SELECT submission_id AS id FROM challenge_finalists').all()
  expect(await listSubmissions('?state=finalist')).toHaveLength(finalists.filter(({ id }) => id !== null).length)
})

test('lists verses unrated by the team member first', async () => {
  await rateSubmission('v0', 3)
  const verses = await getJson<VerseSubmission[]>('/api/admin/challenges/1/listening', {
    at: NOON,
    headers: adminHeaders,
  })
  const position = (id: string) => verses.findIndex((verse) => verse.id === id)
  expect([verses[0]?.myRating, verses.at(-1)?.myRating !== null]).toEqual([null, true])
  expect(position('v2')).toBeLessThan(position('v119'))
  expect(position('v0')).toBeGreaterThan(position('v119'))
  expect(JSON.stringify(verses)).not.toMatch(/fan\d+@|555\d{2}/)
})

test('lists the verses of one challenge', async () => {
  const listForChallenge = (id: string) =>
    getJson<VerseSubmission[]>(`/api/admin/challenges/${id}/submissions?q=Fan+7`, { at: NOON, headers: adminHeaders })
  expect((await listForChallenge('1')).length).toBeGreaterThan(0)
  expect(await listForChallenge('other')).toEqual([])
})

test('erasing a team member deletes only their ratings', async () => {
  const { id: userId } = await addNamedUser('rater', { role: 'administrator' })
  await rateSubmission('v117', 4, { cookie: await cookieHeaderFor('administrator', userId) })
  await rateSubmission('v117', 2)
  expect((await findVerse('v117'))?.ratings).toContainEqual({ by: 'rater', rating: 4 })
  await eraseUser({ db, secret: env.SIGNING_SECRET }, { userId, byUserRequest: false }, NOON)
  expect((await findVerse('v117'))?.ratings).toMatchObject([{ rating: 2 }])
})
