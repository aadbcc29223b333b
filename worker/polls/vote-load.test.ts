import { env, runInDurableObject } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from '../app'
import { limits } from '../limits'
import { errorOf, send } from '../testing/client'
import { addPoll, addUser, pollCounts, voteBy } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { sessionFor } from '../testing/users'
import type { Vote } from './vote'

let poll: string

beforeAll(() => seedSite(env.DB))
beforeEach(async () => {
  poll = await addPoll()
})

const newIsolate = () => createApp(() => NOON)
type Options = Parameters<typeof send>[3]

async function addVoters(count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const user = await addUser()
      const { headers } = await sessionFor(user, NOON)
      const vote = (option: string, options: Options) =>
        send('POST', `/api/polls/${poll}/vote`, { optionId: `${poll}-${option}` }, { ...options, headers })
      return { id: user.id, vote }
    }),
  )
}

const readCounts = () => pollCounts(poll)

const batcherWith = (submit: (votes: Vote[]) => unknown) => ({ getByName: () => ({ submit }) }) as never

test('batches two hundred concurrent votes', async () => {
  const voters = await addVoters(200)
  const { DB, trips } = spyOnD1(env.DB)
  const app = newIsolate()
  const responses = await Promise.all(voters.map(({ vote }, i) => vote(i % 4 ? 'a' : 'b', { app, env: { DB } })))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await responses.at(-1)?.json()).toEqual({ pointsAwarded: 10, totalPoints: 10, missions: [], counted: true })
  expect(await readCounts()).toEqual([
    { votes: 150, rows: 150, points: 1500 },
    { votes: 50, rows: 50, points: 500 },
  ])
  // The isolate casts the first votes and a few late ones itself; the batcher casts the others.
  expect(trips()).toBeGreaterThanOrEqual(limits.voteBatchThreshold)
  expect(trips()).toBeLessThan(100)
})

test('counts concurrent votes of one user once', async () => {
  const [voter] = await addVoters(1)
  const app = newIsolate()
  const responses = await Promise.all(Array.from({ length: 24 }, (_, i) => voter!.vote(i % 2 ? 'a' : 'b', { app })))
  const errors = await Promise.all(responses.filter(({ status }) => status !== 200).map(errorOf))
  expect([responses.length - errors.length, new Set(errors.map(([, code]) => code))]).toEqual([
    1,
    new Set(['already_voted']),
  ])
  expect((await readCounts()).map(({ votes }) => votes).sort()).toEqual([0, 1])
})

test('rejects batched votes like single votes', async () => {
  const voters = await addVoters(12)
  await env.DB.prepare('UPDATE users SET banned_at = 1, session_epoch = 1 WHERE id = ?1').bind(voters[11]!.id).run()
  const app = newIsolate()
  const responses = await Promise.all(voters.map(({ vote }, i) => vote(i === 10 ? 'none' : 'a', { app })))
  expect(responses.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect([await errorOf(responses[10]!), await errorOf(responses[11]!)]).toEqual([
    [400, 'unknown_option', 'That option is not part of this poll.'],
    [403, 'forbidden', 'This account has been banned.'],
  ])
  await env.DB.prepare('UPDATE polls SET ends_at = ?1 WHERE id = ?2').bind(NOON, poll).run()
  const afterEnd = await Promise.all((await addVoters(12)).map(({ vote }) => vote('a', { app })))
  expect(new Set(afterEnd.map(({ status }) => status))).toEqual(new Set([410]))
})

test('a vote that fails does not fail its batch', async () => {
  const voters = await addVoters(30)
  await env.DB.exec(
    `CREATE TRIGGER broken BEFORE INSERT ON poll_votes WHEN NEW.user_id = ${voters[20]!.id} BEGIN SELECT RAISE(ABORT, 'broken'); END`,
  )
  const app = newIsolate()
  const responses = await Promise.all(voters.map(({ vote }) => vote('a', { app })))
  await env.DB.exec('DROP TRIGGER broken')
  expect(responses.map(({ status }) => status)).toEqual(voters.map((_, i) => (i === 20 ? 500 : 200)))
  expect(await readCounts()).toMatchObject([{ votes: 29, rows: 29, points: 290 }, { votes: 0 }])
})

test('votes directly when the Durable Objects fail', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const voters = await addVoters(20)
  const app = newIsolate()
  const RUSH = batcherWith(() => Promise.reject(new Error('overloaded')))
  const responses = await Promise.all(voters.map(({ vote }) => vote('b', { app, env: { RUSH } })))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await readCounts()).toMatchObject([{ votes: 0 }, { votes: 20, rows: 20, points: 200 }])
  expect(error).toHaveBeenCalledWith('{"at":"vote-batcher","error":"Error"}')
  error.mockRestore()
})

test('reports votes as counted after a lost response', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const voters = await addVoters(20)
  const app = newIsolate()
  const RUSH = {
    getByName: (name: string) => ({
      submit: async (votes: Vote[]) => {
        await env.RUSH.getByName(name).submit(votes)
        throw new Error('Network connection lost.')
      },
    }),
  } as never
  const responses = await Promise.all(voters.map(({ vote }) => vote('a', { app, env: { RUSH } })))
  error.mockRestore()
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await responses.at(-1)?.json()).toEqual({ pointsAwarded: 10, totalPoints: 10, missions: [], counted: true })
  const again = await Promise.all(voters.map(({ vote }) => vote('b', { app })))
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([409]))
  expect(await readCounts()).toMatchObject([{ votes: 20, rows: 20, points: 200 }, { votes: 0 }])
})

test('confirms votes only after the commit', async () => {
  const voters = await addVoters(limits.voteBatchThreshold + 8)
  const app = newIsolate()
  const results: unknown[] = []
  const votes = voters.map(async ({ id, vote }) => {
    const { status } = await vote('a', { app })
    const row = env.DB.prepare('SELECT 1 FROM poll_votes WHERE poll_id = ?1 AND user_id = ?2').bind(poll, id)
    results.push([status, (await row.first()) !== null])
  })
  await Promise.all(votes)
  expect(results).toEqual(voters.map(() => [200, true]))
})

test('rejects votes above the queue limit', async () => {
  const stub = env.RUSH.getByName('full')
  const [voter] = await addVoters(1)
  const tooMany = Array.from({ length: limits.maxQueuedVotes + 1 }, () => voteBy(voter!.id, poll))
  expect(new Set(await stub.submit(tooMany))).toEqual(new Set(['busy']))
  expect(await readCounts()).toMatchObject([{ votes: 0 }, { votes: 0 }])

  const app = newIsolate()
  const RUSH = batcherWith(async (votes) => votes.map(() => 'busy'))
  const voters = await addVoters(12)
  const responses = await Promise.all(voters.map(({ vote }) => vote('a', { app, env: { RUSH } })))
  const rejected = await Promise.all(responses.filter(({ status }) => status !== 200).map(errorOf))
  expect(rejected.length).toBeGreaterThan(0)
  for (const errors of rejected)
    expect(errors).toEqual([
      503,
      'unavailable',
      'Voting is very busy right now, so your vote was not taken. Please try again in a moment.',
    ])
  expect(await readCounts()).toMatchObject([{ votes: 12 - rejected.length }, { votes: 0 }])
})

test('loses no votes when a Durable Object is evicted', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const voters = await addVoters(60)
  const app = newIsolate()
  let calls = 0
  const RUSH = {
    getByName: (name: string) => {
      const stub = env.RUSH.getByName(name)
      return {
        submit: async (votes: Vote[]) => {
          const submission = stub.submit(votes)
          if (++calls === 2) void runInDurableObject(stub, (_, state) => state.abort('died')).catch(() => undefined)
          return submission
        },
      }
    },
  } as never
  const responses = await Promise.all(voters.map(({ vote }) => vote('a', { app, env: { RUSH } })))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(error).toHaveBeenCalled()
  error.mockRestore()
  expect(await readCounts()).toMatchObject([{ votes: 60, rows: 60, points: 600 }, { votes: 0 }])
})

test('checks poll and session at write time', async () => {
  const voters = await addVoters(4)
  const app = newIsolate()
  await env.DB.prepare('UPDATE polls SET ends_at = ?1 WHERE id = ?2')
    .bind(NOON - 1, poll)
    .run()
  await env.DB.prepare('UPDATE users SET banned_at = 1 WHERE id = ?1').bind(voters[0]!.id).run()
  const votes = voters.map(({ id }) => voteBy(id, poll))
  const results = await env.RUSH.getByName('late').submit(votes)
  expect(results.map((vote) => typeof vote !== 'string' && vote.result.accepted)).toEqual([false, false, false, false])
  expect(results.map((vote) => typeof vote !== 'string' && vote.result.outcome?.isActive)).toEqual([0, 1, 1, 1])
  expect((await voters[1]!.vote('a', { app })).status).toBe(410)
})

test('casts votes directly while few are in flight', async () => {
  const RUSH = batcherWith(() => Promise.reject(new Error('unexpected call')))
  const app = newIsolate()
  for (let round = 0; round < 3; round += 1) {
    const voters = await addVoters(limits.voteBatchThreshold)
    const responses = await Promise.all(voters.map(({ vote }) => vote('a', { app, env: { RUSH } })))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  }
})
