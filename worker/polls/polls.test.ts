import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { callerBinds, revokeSession } from '../auth/sessions'
import { PollView } from '../contract/polls'
import { openDb } from '../db/client'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { getJson } from '../testing/client'
import { addUser, db, queryPlan } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { spyOnD1, staleKV } from '../testing/stores'
import { sessionFor } from '../testing/users'
import { listActivePolls, SELECT_ACTIVE_POLLS } from './polls'
import { pollOptions, polls, pollVotes } from './polls.table'

let supporter: Awaited<ReturnType<typeof addUser>>

async function addPoll(id: string, endsAt: number, row: Partial<typeof polls.$inferInsert> = {}) {
  await db.insert(polls).values({ id, title: `Poll ${id}`, endsAt, createdAt: 0, ...row })
  const option = (name: string, position: number) => ({ id: `${id}-${name}`, pollId: id, title: name, position })
  await db.insert(pollOptions).values([option('right', 2), option('left', 1)])
}

beforeAll(async () => {
  await addPoll('second', NOON + 2 * DAY_MS, { description: 'More.' })
  await addPoll('first', NOON + HOUR_MS)
  await addPoll('last-moment', NOON + 1)
  await addPoll('over', NOON)
  await addPoll('hidden', NOON + DAY_MS, { hiddenAt: 1 })
  supporter = await addUser()
  const others = await Promise.all([addUser(), addUser(), addUser()])
  const vote = (userId: number, pollId: string, option: string) =>
    db
      .insert(pollVotes)
      .values({ pollId, userId, optionId: `${pollId}-${option}`, castAt: NOON - 1, countedAt: NOON - 1 })
  for (const { id } of others) await vote(id, 'first', 'left')
  await vote(supporter.id, 'first', 'right')
  await vote(others[0]!.id, 'second', 'left')
})

const getActivePolls = async (options = {}) =>
  z.array(PollView).parse(await getJson('/api/polls/active', { at: NOON, ...options }))

test('shows visitors open polls without counts', async () => {
  const visible = await getActivePolls()
  expect(visible.map(({ id }) => id)).toEqual(['last-moment', 'first', 'second'])
  expect(visible[2]).toEqual({
    id: 'second',
    title: 'Poll second',
    description: 'More.',
    endDate: new Date(NOON + 2 * DAY_MS).toISOString(),
    options: [
      { id: 'second-left', title: 'left', voteCount: null },
      { id: 'second-right', title: 'right', voteCount: null },
    ],
    userVote: null,
  })
  expect(visible.flatMap(({ options }) => options).every(({ voteCount }) => voteCount === null)).toBe(true)
})

test('shows counts only of polls the caller voted in', async () => {
  const { headers } = await sessionFor(supporter, NOON)
  const [, first, second] = await getActivePolls({ headers })
  expect([first?.userVote, first?.options.map(({ voteCount }) => voteCount)]).toEqual([
    { optionId: 'first-right', counted: true },
    [3, 1],
  ])
  expect([second?.userVote, second?.options.map(({ voteCount }) => voteCount)]).toEqual([null, [null, null]])
})

test('treats an ended session as a visitor', async () => {
  const SESSIONS = staleKV(env.SESSIONS)
  const { session, headers } = await sessionFor(supporter, NOON)
  const options = { headers, env: { SESSIONS } }
  expect((await getActivePolls(options))[1]?.userVote).not.toBe(null)
  await revokeSession(db, env.SESSIONS, session)
  expect((await getActivePolls(options))[1]?.userVote).toBe(null)
})

test('reads the polls in one round trip', async () => {
  const { session } = await sessionFor(supporter, NOON)
  for (const caller of [session, null]) {
    const { DB, trips } = spyOnD1(env.DB)
    await listActivePolls(openDb(DB), { session: caller, at: NOON })
    expect(trips()).toBe(1)
  }
})

test('finds open polls, options and votes by index', async () => {
  const plan = await queryPlan({ sql: SELECT_ACTIVE_POLLS, params: [...callerBinds(null), NOON] })
  const steps = plan.join('\n')
  expect(steps).toMatch(/SEARCH polls USING INDEX polls_open \(ends_at>\?\)/)
  expect(steps).toMatch(/SEARCH option USING INDEX poll_options_\w+ \(poll_id=\?\)/)
  expect(steps).toMatch(/SEARCH vote USING INDEX sqlite_autoindex_poll_votes_1 \(poll_id=\? AND user_id=\?\)/)
  expect(steps).not.toMatch(/SCAN (polls|option|vote|users)\b/)
})
