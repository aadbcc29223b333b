import { env, runInDurableObject } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Env } from '../env'
import type { AppError } from '../lib/app-error'
import { HOUR_MS } from '../lib/clock'
import { limits } from '../limits'
import { withoutReplicas } from '../testing/client'
import { addPoll, addUser, pollCounts, voteBy } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { type Vote, voteAward } from './vote'
import { type BatchedVoteResult, type CastVote, createVoteQueue, type VoteBatcher } from './vote-batcher'

let poll: string
beforeAll(() => seedSite(env.DB))
beforeEach(async () => {
  poll = await addPoll()
})

/** Submits votes to the Durable Object of this name, with `DB` as its database. */
const submitTo = (name: string, DB: D1Database, votes: readonly Vote[]) =>
  runInDurableObject(env.RUSH.getByName(name), async (object) => {
    Reflect.set(object, 'env', { ...env, DB: withoutReplicas(DB) })
    return (object as VoteBatcher).submit(votes)
  })
const votesOfNewUsers = async (count: number) =>
  (await Promise.all(Array.from({ length: count }, () => addUser()))).map(({ id }) => voteBy(id, poll))
function statusOf(result: BatchedVoteResult) {
  if (typeof result === 'string') return result
  return result.result.accepted ? 'counted' : 'rejected'
}

test.each([
  [
    'does not retry on an overloaded database',
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    1,
    'busy',
  ],
  ['retries in halves when a response is lost', 'D1_ERROR: Network connection lost.', 3, 'counted'],
])('%s', async (_title, message, expectedTrips, status) => {
  const { DB, trips } = spyOnD1(env.DB, {
    after: (trip) => {
      if (trip === 1) throw new Error(message)
    },
  })
  const results = await submitTo(message, DB, await votesOfNewUsers(2))
  expect(results.map(statusOf)).toEqual([status, status])
  expect(trips()).toBe(expectedTrips)
})

test('reports unknown when the database overloads after a lost response', async () => {
  const { DB, trips } = spyOnD1(env.DB, {
    before: (trip) => {
      if (trip > 1) throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
    },
    after: () => {
      throw new Error('D1_ERROR: Network connection lost.')
    },
  })
  const results = await submitTo('half', DB, await votesOfNewUsers(4))
  expect([results, trips()]).toEqual([Array(4).fill('unknown'), 3])
  expect(await pollCounts(poll)).toMatchObject([{ votes: 4, rows: 4, points: 40 }, { votes: 0 }])
})

test('counts votes until the last millisecond of the poll', async () => {
  const end = NOON + HOUR_MS
  const users = await Promise.all(Array.from({ length: 4 }, () => addUser()))
  const votes = [end - 1, end, end + 1, end - 1].map((at, i) => voteBy(users[i]!.id, poll, { at }))
  const results = await env.RUSH.getByName('end').submit(votes)
  const awards = results.map((result, i) => {
    try {
      return typeof result === 'string' ? result : voteAward(result.result, votes[i]!).pointsAwarded
    } catch (error) {
      return (error as AppError).code
    }
  })
  expect(awards).toEqual([10, 'closed', 'closed', 10])
  expect(await pollCounts(poll)).toMatchObject([{ votes: 2, rows: 2, points: 20 }, { votes: 0 }])
})

test('counts one of several identical votes', async () => {
  for (const message of [null, 'D1_ERROR: Network connection lost.']) {
    const [vote] = await votesOfNewUsers(1)
    const { DB } = spyOnD1(env.DB, {
      after: (trip) => {
        if (message && trip === 1) throw new Error(message)
      },
    })
    const results = await submitTo(
      `same ${message}`,
      DB,
      Array.from({ length: 4 }, () => ({ ...vote! })),
    )
    expect(results.map(statusOf).filter((status) => status === 'counted')).toHaveLength(1)
  }
  expect(await pollCounts(poll)).toMatchObject([{ votes: 2, rows: 2, points: 20 }, { votes: 0 }])
})

// The queue in each isolate, with a fake backend.

const voteOf = (userId: number): Vote => ({
  session: { userId, epoch: 0, sid: '' },
  pollId: 'any',
  optionId: 'a',
  mailboxHash: null,
  at: NOON,
})
const castAs = (bookmark: string) => ({ result: { accepted: true, outcome: undefined }, bookmark })
const never = () => new Promise<never>(() => {})

/**
 * A queue whose votes in flight reach the threshold, so further votes are batched; `finish` completes those in flight.
 * Tests submit votes of even user ids, which share one batcher.
 */
function busyQueue(
  castBatch: (votes: readonly Vote[]) => Promise<BatchedVoteResult[]>,
  {
    retry = async () => castAs('retried'),
    timeoutMs = 100,
    now,
  }: { retry?: () => Promise<CastVote>; timeoutMs?: number; now?: () => number } = {},
) {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const cast = () => finished.then(() => castAs('direct'))
  const queue = createVoteQueue(timeoutMs, now, { cast, retry, castBatch: (_env, _batcher, votes) => castBatch(votes) })
  const submit = (userId: number) => queue.submit(env as Env, voteOf(userId))
  for (let i = 0; i < limits.voteBatchThreshold; i++) void submit(-1 - i)
  return { submit, finish }
}

test('retries directly when the batcher does not respond', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const { submit, finish } = busyQueue(never)
  const startedAt = Date.now()
  const results = await Promise.all([2, 4, 6, 8].map(submit))
  expect(results.map(({ bookmark }) => bookmark)).toEqual(Array(4).fill('retried'))
  expect(Date.now() - startedAt).toBeLessThan(2000)
  expect(error).toHaveBeenCalled()
  error.mockRestore()
  finish()
})

test('answers unavailable when the result stays unknown', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  let retries = 0
  const retry = async () => {
    retries += 1
    throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
  }
  const loseConnection = async () => {
    throw new Error('Network connection lost.')
  }
  const message =
    'Voting is very busy right now, and we could not confirm your vote. Please try again in a moment: it counts only once.'
  for (const [castBatch, retriesSoFar] of [
    [async () => ['unknown'] as BatchedVoteResult[], 0],
    [async () => ['failed'] as BatchedVoteResult[], 1],
    [loseConnection, 2],
  ] as const) {
    const { submit, finish } = busyQueue(castBatch, { retry })
    await expect(submit(2)).rejects.toMatchObject({ code: 'unavailable', message })
    expect(retries).toBe(retriesSoFar)
    finish()
  }
  // Other database errors are rethrown.
  const { submit, finish } = busyQueue(loseConnection, { retry: loseConnection })
  await expect(submit(2)).rejects.toThrow('Network connection lost.')
  error.mockRestore()
  finish()
})

test('replaces a leader whose request was canceled', async () => {
  const clock = { now: 0 }
  let castBatch: (votes: readonly Vote[]) => Promise<BatchedVoteResult[]> = never
  const { submit, finish } = busyQueue((votes) => castBatch(votes), { timeoutMs: 50, now: () => clock.now })
  // The first vote leads: its request calls the batcher. A canceled request's timers do not fire.
  const timers = vi.spyOn(globalThis, 'setTimeout').mockReturnValue(0 as never)
  void submit(2)
  timers.mockRestore()
  expect((await submit(4)).bookmark).toBe('retried')
  clock.now = 100
  castBatch = async (votes) => votes.map(() => castAs('batched'))
  expect((await submit(6)).bookmark).toBe('batched')
  finish()
})

test('batches the votes that arrive during a call', async () => {
  const calls: number[][] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { submit, finish } = busyQueue(
    async (votes) => {
      calls.push(votes.map(({ session }) => session.userId))
      if (calls.length === 1) await released
      return votes.map(({ session }) => castAs(String(session.userId)))
    },
    { timeoutMs: limits.voteBatchTimeoutMs },
  )
  const submissions = [2, 4, 6, 8].map(submit)
  let settled = 0
  for (const submission of submissions) void submission.then(() => settled++)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([calls, settled]).toEqual([[[2]], 0])
  release()
  expect((await Promise.all(submissions)).map(({ bookmark }) => bookmark)).toEqual(['2', '4', '6', '8'])
  expect(calls).toEqual([[2], [4, 6, 8]])
  finish()
})
