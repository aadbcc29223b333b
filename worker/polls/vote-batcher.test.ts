import { env, runInDurableObject } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { AppError } from '../lib/app-error'
import { HOUR_MS } from '../lib/clock'
import { withoutReplicas } from '../testing/client'
import { addPoll, addUser, pollCounts, voteBy } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { voteAward } from './vote'
import type { VoteBatcher } from './vote-batcher'

// The object by itself, with a database that fails it.

let poll: string
beforeAll(() => seedSite(env.DB))
beforeEach(async () => {
  poll = await addPoll()
})
const newVoters = (many: number) => Promise.all(Array.from({ length: many }, () => addUser()))

test('a database that is overloaded is asked no more often for it; one whose answer is lost is asked again', async () => {
  for (const [words, trips, told] of [
    ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 1, 'busy'],
    ['D1_ERROR: Network connection lost.', 3, 'counted'],
  ] as const) {
    const fans = await newVoters(2)
    const ballots = fans.map(({ id }) => voteBy(id, poll))
    const watched = spyOnD1(env.DB, {
      after: (trip) => {
        if (trip === 1) throw new Error(words)
      },
    })
    const counted = await runInDurableObject(env.RUSH.getByName(words), async (object) => {
      Reflect.set(object, 'env', { ...env, DB: withoutReplicas(watched.DB) })
      return (object as VoteBatcher).submit(ballots)
    })
    expect(counted.map((one) => (typeof one === 'string' ? one : one.result.accepted && 'counted'))).toEqual([
      told,
      told,
    ])
    expect(watched.trips()).toBe(trips)
  }
})

test('who may have been counted is not told that they were not, when the database is overloaded meanwhile', async () => {
  const fans = await newVoters(4)
  const ballots = fans.map(({ id }) => voteBy(id, poll))
  const { DB, trips } = spyOnD1(env.DB, {
    before: (trip) => {
      if (trip > 1) throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
    },
    after: () => {
      throw new Error('D1_ERROR: Network connection lost.')
    },
  })
  const told = await runInDurableObject(env.RUSH.getByName('half'), async (object) => {
    Reflect.set(object, 'env', { ...env, DB: withoutReplicas(DB) })
    return (object as VoteBatcher).submit(ballots)
  })
  // Nobody is sent to the database by themselves: it was asked for its halves, and for nothing below them.
  expect([told, trips()]).toEqual([Array(4).fill('unsure'), 3])
  expect(await pollCounts(poll)).toMatchObject([{ votes: 4, ballots: 4, points: 40 }, { votes: 0 }])
})

test('a batch that goes at the end of a poll takes who came before it, to the millisecond', async () => {
  const end = NOON + HOUR_MS
  const fans = await newVoters(4)
  const ballots = [end - 1, end, end + 1, end - 1].map((at, i) => voteBy(fans[i]!.id, poll, { at }))
  const told = await env.RUSH.getByName('end').submit(ballots)
  const words = told.map((one, i) => {
    try {
      return typeof one === 'string' ? one : voteAward(one.result, ballots[i]!).pointsAwarded
    } catch (error) {
      return (error as AppError).code
    }
  })
  expect(words).toEqual([10, 'closed', 'closed', 10])
  expect(await pollCounts(poll)).toMatchObject([{ votes: 2, ballots: 2, points: 20 }, { votes: 0 }])
})

test('of the very same ballot many times over one is taken, tried again or not', async () => {
  for (const words of [null, 'D1_ERROR: Network connection lost.']) {
    const [fan] = await newVoters(1)
    const ballots = Array.from({ length: 4 }, () => voteBy(fan!.id, poll))
    const { DB } = spyOnD1(env.DB, {
      after: (trip) => {
        if (words && trip === 1) throw new Error(words)
      },
    })
    const counted = await runInDurableObject(env.RUSH.getByName(`same ${words}`), async (object) => {
      Reflect.set(object, 'env', { ...env, DB: withoutReplicas(DB) })
      return (object as VoteBatcher).submit(ballots)
    })
    expect(counted.filter((one) => typeof one !== 'string' && one.result.accepted)).toHaveLength(1)
  }
  expect(await pollCounts(poll)).toMatchObject([{ votes: 2, ballots: 2, points: 20 }, { votes: 0 }])
})
