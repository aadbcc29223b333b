import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { auditLog } from '../audit/audit.table'
import type { PollView } from '../contract/polls'
import { HOUR_MS } from '../lib/clock'
import { errorOf, getJson, send } from '../testing/client'
import { addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor, sessionFor } from '../testing/users'
import { pollOptions, polls, pollVotes } from './polls.table'

let admin: Record<string, string>
const POLL_ENDS = NOON + HOUR_MS

beforeAll(async () => {
  await seedSite(env.DB)
  admin = { cookie: await cookieHeaderFor('administrator') }
  for (const [id, endsAt] of [
    ['open', POLL_ENDS],
    ['open-2', POLL_ENDS],
    ['closed-an-hour-ago', NOON - HOUR_MS],
    ['just-closed', NOON - 1],
    ['closes-now', NOON],
  ] as const) {
    await db.insert(polls).values({ id, title: id, endsAt, createdAt: 0 })
    await db
      .insert(pollOptions)
      .values(['a', 'b'].map((name, position) => ({ id: `${id}-${name}`, pollId: id, title: name, position })))
  }
  const { id: userId } = await addUser()
  await db
    .insert(pollVotes)
    .values({ pollId: 'just-closed', userId, optionId: 'just-closed-b', castAt: 1, countedAt: 1 })
})

const pollIds = async (list: string, options = {}) =>
  (await getJson<PollView[]>(`/api/polls/${list}`, { at: NOON + 1, ...options })).map(({ id }) => id)
const vote = async (poll: string) => {
  const { headers } = await sessionFor(await addUser(), NOON)
  return (await send('POST', `/api/polls/${poll}/vote`, { optionId: `${poll}-a` }, { at: NOON + 1, headers })).status
}
const moderate = (poll: string, action: string) =>
  send('POST', `/api/admin/polls/${poll}/${action}`, undefined, { at: NOON + 1, headers: admin })

test('lists closed polls latest first with counts', async () => {
  expect(await pollIds('closed', { at: NOON })).toEqual(['closes-now', 'just-closed', 'closed-an-hour-ago'])
  const [, justClosed] = await getJson<PollView[]>('/api/polls/closed', { at: NOON })
  expect([justClosed?.options.map(({ voteCount }) => voteCount), justClosed?.userVote]).toEqual([[0, 1], null])
})

test('closes a poll once, with an audit entry', async () => {
  expect(await pollIds('active')).toContain('open')
  expect((await moderate('open', 'close')).status).toBe(204)
  expect((await moderate('open', 'close')).status).toBe(204)
  expect(await vote('open')).toBe(410)
  expect([(await pollIds('active')).includes('open'), (await pollIds('closed'))[0]]).toEqual([false, 'open'])
  const rows = (await db.select().from(auditLog)).filter(({ subject }) => subject === 'poll:open')
  expect(rows.map(({ action, at }) => [action, at])).toEqual([['poll.closed', NOON + 1]])
})

test('closing a closed poll again keeps its end date', async () => {
  await moderate('closed-an-hour-ago', 'close')
  expect((await getJson<PollView[]>('/api/polls/closed', { at: NOON })).at(-1)?.endDate).toBe(
    new Date(NOON - HOUR_MS).toISOString(),
  )
})

test('hides a poll and keeps its votes', async () => {
  for (const poll of ['open-2', 'just-closed', 'just-closed']) expect((await moderate(poll, 'hide')).status).toBe(204)
  expect([await pollIds('active'), (await pollIds('closed')).includes('just-closed')]).toEqual([[], false])
  expect(await vote('open-2')).toBe(404)
  expect((await db.select().from(pollVotes)).map(({ pollId }) => pollId)).toEqual(['just-closed'])
  const hidden = (await db.select().from(auditLog)).filter(({ action }) => action === 'poll.hidden')
  expect(hidden.map(({ subject }) => subject)).toEqual(['poll:open-2', 'poll:just-closed'])
})

test('rejects unknown polls and writes no audit entry', async () => {
  const before = (await db.select().from(auditLog)).length
  for (const action of ['close', 'hide'])
    expect(await errorOf(await moderate('none', action))).toEqual([404, 'not_found', 'That poll does not exist.'])
  expect((await db.select().from(auditLog)).length).toBe(before)
})
