import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { AdminPoll } from '../contract/admin'
import type { PollView } from '../contract/polls'
import { zonedTimeToUtc } from '../lib/clock'
import { errorOf, getJson, send, statusAndCodeOf } from '../testing/client'
import { POLL_DRAFT } from '../testing/drafts'
import { addUser } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import {
  addNamedUser,
  browserWithSession,
  cookieHeaderFor,
  logInWithPassword,
  PASSWORD,
  sessionFor,
} from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await seedSite(env.DB)
  cookie = await cookieHeaderFor('administrator')
})
const request = (method: string, path: string, body?: unknown, at = NOON) =>
  send(method, `/api/admin/polls${path}`, body, { at, headers: { cookie } })
const createPoll = async (draft: unknown) => (await (await request('POST', '', draft)).json<{ id: string }>()).id
const activePoll = async (id: string, at = NOON) =>
  (await getJson<PollView[]>('/api/polls/active', { at })).find((poll) => poll.id === id)
const adminPoll = async (id: string) =>
  (await (await request('GET', '')).json<AdminPoll[]>()).find((poll) => poll.id === id)
const optionTitles = async (id: string) => (await activePoll(id))?.options.map(({ title }) => title)
const vote = async (id: string) => {
  const { headers } = await sessionFor(await addUser(), NOON)
  const optionId = (await activePoll(id))?.options[0]?.id
  return (await send('POST', `/api/polls/${id}/vote`, { optionId }, { at: NOON, headers })).status
}

test('official polls stay open through their last day', async () => {
  const id = await createPoll(POLL_DRAFT)
  const end = zonedTimeToUtc('2026-07-06', '00:00', 'America/New_York')
  expect(await activePoll(id)).toMatchObject({ title: POLL_DRAFT.title, endDate: new Date(end).toISOString() })
  expect([await activePoll(id, end - 1), await activePoll(id, end)]).toEqual([expect.anything(), undefined])
  expect(await adminPoll(id)).toMatchObject({ ...POLL_DRAFT, official: true, state: 'open', votes: 0 })
  const countAwards = "SELECT count(*) AS n FROM ledger WHERE action = 'poll_created'"
  expect(await env.DB.prepare(countAwards).first('n')).toBe(0)
})

test('an official poll requires an admin session', async () => {
  await addNamedUser('headliner', { role: 'administrator' })
  const browser = await logInWithPassword('headliner', { at: NOON })
  const countPolls = () => env.DB.prepare('SELECT count(*) AS n FROM polls WHERE official = 1').first<number>('n')
  const before = await countPolls()
  expect((await browser.send('POST', '/api/admin/polls', POLL_DRAFT)).status).toBe(403)
  const draft = { title: 'Encore?', options: [{ title: 'Yes' }, { title: 'No' }] }
  expect((await browser.send('POST', '/api/polls', draft)).status).toBe(201)
  expect(await countPolls()).toBe(before)
  const adminBrowser = await browserWithSession('headliner', { as: 'administrator', at: NOON })
  expect((await adminBrowser.send('POST', '/api/admin/polls', POLL_DRAFT)).status).toBe(201)
  expect(await countPolls()).toBe((before ?? 0) + 1)
})

test('locks title and options after the first vote', async () => {
  const id = await createPoll(POLL_DRAFT)
  const edited = { ...POLL_DRAFT, title: 'Which one last?', options: ['C', 'B', 'A'], lastDay: '2026-07-03' }
  expect((await request('PATCH', `/${id}`, edited)).status).toBe(204)
  expect([(await adminPoll(id))?.title, await optionTitles(id), (await adminPoll(id))?.lastDay]).toEqual([
    edited.title,
    edited.options,
    edited.lastDay,
  ])
  expect(await vote(id)).toBe(200)
  for (const change of [{ title: 'Another?' }, { options: ['A', 'B', 'C'] }, { options: ['C', 'B'] }])
    expect((await errorOf(await request('PATCH', `/${id}`, { ...edited, ...change })))[2]).toBe(
      'People have voted, so the title and the options can’t change.',
    )
  expect(
    (await request('PATCH', `/${id}`, { ...edited, description: 'Ask around.', lastDay: '2026-07-09' })).status,
  ).toBe(204)
  expect(await adminPoll(id)).toMatchObject({ ...edited, description: 'Ask around.', lastDay: '2026-07-09', votes: 1 })
  const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ? ORDER BY id')
    .bind(`poll:${id}`)
    .all()
  expect(results.map(({ action }) => action)).toEqual(['poll.added', 'poll.changed', 'poll.changed'])
})

test('rejects edits of closed polls and of supporters’ polls', async () => {
  const id = await createPoll(POLL_DRAFT)
  await request('POST', `/${id}/close`)
  expect((await errorOf(await request('PATCH', `/${id}`, POLL_DRAFT)))[2]).toBe('This poll is over and can’t change.')
  const { headers } = await sessionFor(await addUser(), NOON)
  const draft = { title: 'A fan asks', options: [{ title: 'Yes' }, { title: 'No' }] }
  const { id: supporterPoll } = await (await send('POST', '/api/polls', draft, { at: NOON, headers })).json<{
    id: string
  }>()
  expect(await statusAndCodeOf(await request('PATCH', `/${supporterPoll}`, POLL_DRAFT))).toEqual([409, 'conflict'])
  expect([(await adminPoll(supporterPoll))?.official, await optionTitles(supporterPoll)]).toEqual([
    false,
    ['Yes', 'No'],
  ])
  expect((await request('PATCH', '/none', POLL_DRAFT)).status).toBe(404)
})

test('restores a hidden poll with its votes', async () => {
  const id = await createPoll(POLL_DRAFT)
  await vote(id)
  await request('POST', `/${id}/hide`)
  expect(await activePoll(id)).toBeUndefined()
  expect((await request('POST', `/${id}/show`)).status).toBe(204)
  expect([(await activePoll(id))?.id, (await adminPoll(id))?.votes]).toEqual([id, 1])
  expect((await request('POST', '/none/show')).status).toBe(404)
})

test.each([
  [{ title: ' ' }, 'The title is required.'],
  [{ options: ['One', ' '] }, 'A poll has at least 2 options.'],
  [{ options: ['One', 'ONE'] }, 'Two of the options are the same.'],
  [{ lastDay: '2026-06-30' }, 'The last day has already passed.'],
  [{ lastDay: '2026-02-30' }, 'There is no such day.'],
])('rejects a poll with %j', async (wrong, message) => {
  expect(await errorOf(await request('POST', '', { ...POLL_DRAFT, ...wrong }))).toEqual([400, 'bad_input', message])
})

test('keeps official polls after their author’s erasure', async () => {
  await addNamedUser('manager', { role: 'administrator' })
  const admin = await browserWithSession('manager', { as: 'administrator', at: NOON })
  const official = (await (await admin.send('POST', '/api/admin/polls', POLL_DRAFT)).json<{ id: string }>()).id
  const draft = { title: 'Tea or coffee?', options: [{ title: 'Yes' }, { title: 'No' }] }
  const ownPollId = (await (await admin.send('POST', '/api/polls', draft)).json<{ id: string }>()).id
  // Created through /api/polls, a poll is a supporter's even if its author is an admin.
  expect([(await adminPoll(official))?.official, (await adminPoll(ownPollId))?.official]).toEqual([true, false])
  await env.DB.prepare("UPDATE users SET role = 'supporter' WHERE username = 'manager'").run()
  const browser = await logInWithPassword('manager', { at: NOON })
  expect((await browser.send('DELETE', '/api/account', { password: PASSWORD })).status).toBe(204)
  const storedTitle = (id: string) => env.DB.prepare('SELECT title FROM polls WHERE id = ?').bind(id).first('title')
  expect([await storedTitle(official), await storedTitle(ownPollId)]).toEqual([POLL_DRAFT.title, 'A deleted poll'])
})
