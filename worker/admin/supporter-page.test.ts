import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { SupporterDetails } from '../contract/supporter-page'
import { MINUTE_MS } from '../lib/clock'
import { errorOf, send, statusAndCodeOf } from '../testing/client'
import { addPoll, addUser, loadFixtures, pointsOf } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor, newSupporter } from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})
const request = (method: string, path: string, body?: unknown, at = NOON) =>
  send(method, `/api/admin/${path}`, body, { at, headers: { cookie } })
const readPage = async (id: number) => (await request('GET', `supporters/${id}`)).json<SupporterDetails>()
const adjustPoints = (id: number, points: unknown, changes: object = {}) =>
  request('POST', `supporters/${id}/points`, {
    points,
    reason: 'Helped at the door',
    key: crypto.randomUUID(),
    ...changes,
  })
const ledgerOf = async (id: number) =>
  (await env.DB.prepare('SELECT description, points FROM ledger WHERE user_id = ?1 ORDER BY id').bind(id).all()).results
const auditOf = async (id: number) =>
  (
    await env.DB.prepare('SELECT action, detail FROM audit_log WHERE subject = ?1 ORDER BY id').bind(`user:${id}`).all<{
      action: string
      detail: string
    }>()
  ).results.map(({ action, detail }) => [action, JSON.parse(detail)])

test('shows a supporter with votes, emails and a masked address', async () => {
  const supporter = await newSupporter({ username: 'door-hero', email: 'hero@mail.example', phoneLast2: '23' })
  const poll = await addPoll()
  await supporter.request('POST', `/api/polls/${poll}/vote`, { optionId: `${poll}-a` })
  await env.DB.prepare(
    `INSERT INTO outbox (id, kind, dedupe_key, recipient, recipient_key, subject, text, html, created_at, state)
     VALUES ('hello', 'welcome', 'hello', 'Hero@mail.example', 'hero@mail.example', 'Welcome', '', '', 1, 'sent')`,
  ).run()
  const page = await readPage(supporter.user.id)
  expect(page).toMatchObject({
    username: 'door-hero',
    email: 'h…@mail.example',
    phoneLast2: '23',
    votes: [{ state: 'counted' }],
    emails: [{ subject: 'Welcome', state: 'sent' }],
    orders: [],
    newsletter: null,
  })
  expect(JSON.stringify(page)).not.toContain('hero@')
})

test('shows neither emails nor consent of an unconfirmed address', async () => {
  const user = await addUser({ email: 'reader@mail.example', emailVerified: false })
  await env.DB.prepare(
    `INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at)
     VALUES ('r', 'reader@mail.example', 'reader@mail.example', 'confirmed', '1', 0, 0)`,
  ).run()
  expect(await readPage(user.id)).toMatchObject({ newsletter: null, emails: [] })
})

test('reveals the address with recent authentication and an audit entry', async () => {
  const user = await addUser({ email: 'secret@mail.example' })
  const lateResponse = await request('POST', `supporters/${user.id}/reveal`, undefined, NOON + 16 * MINUTE_MS)
  expect((await errorOf(lateResponse))[1]).toBe('recent_auth_required')
  const response = await request('POST', `supporters/${user.id}/reveal`)
  expect(await response.json()).toEqual({ email: 'secret@mail.example' })
  expect(await auditOf(user.id)).toEqual([['supporter.revealed', {}]])
})

test('adjusts points with a reason and an audit entry', async () => {
  const user = await addUser()
  expect(await (await adjustPoints(user.id, 100)).json()).toEqual({ totalPoints: 100 })
  expect(await (await adjustPoints(user.id, -40, { reason: 'A mistake' })).json()).toEqual({ totalPoints: 60 })
  expect(await ledgerOf(user.id)).toEqual([
    { description: 'Added by the team', points: 100 },
    { description: 'Removed by the team', points: -40 },
  ])
  expect(await auditOf(user.id)).toEqual([
    ['points.adjusted', { points: 100, reason: 'Helped at the door' }],
    ['points.adjusted', { points: -40, reason: 'A mistake' }],
  ])
})

test.each([0, 1001, -1001, 1.5, '5', null])('rejects an adjustment of %j points', async (points) => {
  const user = await addUser()
  expect(await statusAndCodeOf(await adjustPoints(user.id, points))).toEqual([400, 'bad_input'])
})

test('requires a reason for an adjustment', async () => {
  const user = await addUser()
  expect(await statusAndCodeOf(await adjustPoints(user.id, 5, { reason: ' ' }))).toEqual([400, 'bad_input'])
})

test('applies a repeated adjustment only once', async () => {
  const user = await addUser()
  const key = crypto.randomUUID()
  const responses = await Promise.all(Array.from({ length: 8 }, () => adjustPoints(user.id, 50, { key })))
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect([await pointsOf(user.id), (await auditOf(user.id)).length]).toEqual([50, 1])
})

test('concurrent adjustments never make the points negative', async () => {
  const user = await addUser()
  await adjustPoints(user.id, 100)
  const responses = await Promise.all(Array.from({ length: 12 }, () => adjustPoints(user.id, -30)))
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(9).fill(409)])
  expect(await pointsOf(user.id)).toBe(10)
  expect((await auditOf(user.id)).length).toBe(4)
})

test('saves, exports and erases notes of the team', async () => {
  const { user, ...supporter } = await newSupporter({ email: 'noted@mail.example' })
  const addResponse = await request('POST', `supporters/${user.id}/notes`, { text: 'Plays the bass.' })
  expect(addResponse.status).toBe(201)
  const second = (await (await request('POST', `supporters/${user.id}/notes`, { text: 'Met in May.' })).json()) as {
    id: string
  }
  expect((await readPage(user.id)).notes.map(({ text }) => text).sort()).toEqual(['Met in May.', 'Plays the bass.'])
  expect((await request('DELETE', `supporter-notes/${second.id}`)).status).toBe(204)
  expect(await statusAndCodeOf(await request('DELETE', `supporter-notes/${second.id}`))).toEqual([404, 'not_found'])
  const exported = await supporter.request('GET', '/api/account/export')
  expect(await exported.text()).toContain('Plays the bass.')
  expect((await request('DELETE', `supporters/${user.id}`)).status).toBe(204)
  expect(await env.DB.prepare('SELECT count(*) AS n FROM supporter_notes').first('n')).toBe(0)
})

test('logs a supporter out everywhere', async () => {
  const { user, ...supporter } = await newSupporter()
  const sessionStatus = async () => (await supporter.request('GET', '/api/auth/user')).status
  expect(await sessionStatus()).toBe(200)
  expect((await request('POST', `supporters/${user.id}/log-out`)).status).toBe(204)
  expect(await sessionStatus()).toBe(401)
})

test.each(['GET ', 'POST /reveal', 'POST /log-out'])('answers 404 for administrators: %s', async (call) => {
  const [method = '', path = ''] = call.split(' ')
  const admin = await addUser({ role: 'administrator' })
  expect(await statusAndCodeOf(await request(method, `supporters/${admin.id}${path}`))).toEqual([404, 'not_found'])
})
