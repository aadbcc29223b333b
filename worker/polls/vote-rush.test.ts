import { env, runInDurableObject } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR } from '../lib/clock'
import type { Refused } from '../lib/refused'
import { alone } from '../testing/client'
import { furnish, NOON } from '../testing/furnish'
import { addUser } from '../testing/rows'
import { ballotOf, countedIn, newRushPoll } from '../testing/rush-polls'
import { watchedD1 } from '../testing/watched-d1'
import { earnedBy } from './vote'
import type { VoteRush } from './vote-rush'

// The object by itself, with a database that fails it.

let poll: string
beforeAll(() => furnish(env.DB))
beforeEach(async () => {
  poll = await newRushPoll()
})
const newVoters = (many: number) => Promise.all(Array.from({ length: many }, () => addUser()))

test('a database that is overloaded is asked no more often for it; one whose answer is lost is asked again', async () => {
  for (const [words, trips, told] of [
    ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 1, 'busy'],
    ['D1_ERROR: Network connection lost.', 3, 'counted'],
  ] as const) {
    const fans = await newVoters(2)
    const ballots = fans.map(({ id }) => ballotOf(id, poll))
    const watched = watchedD1(env.DB, {
      after: (trip) => {
        if (trip === 1) throw new Error(words)
      },
    })
    const counted = await runInDurableObject(env.RUSH.getByName(words), async (object) => {
      Reflect.set(object, 'env', { ...env, DB: alone(watched.DB) })
      return (object as VoteRush).cast(ballots)
    })
    expect(counted.map((one) => (typeof one === 'string' ? one : one.came.taken && 'counted'))).toEqual([told, told])
    expect(watched.trips()).toBe(trips)
  }
})

test('who may have been counted is not told that they were not, when the database is overloaded meanwhile', async () => {
  const fans = await newVoters(4)
  const ballots = fans.map(({ id }) => ballotOf(id, poll))
  const { DB, trips } = watchedD1(env.DB, {
    before: (trip) => {
      if (trip > 1) throw new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.')
    },
    after: () => {
      throw new Error('D1_ERROR: Network connection lost.')
    },
  })
  const told = await runInDurableObject(env.RUSH.getByName('half'), async (object) => {
    Reflect.set(object, 'env', { ...env, DB: alone(DB) })
    return (object as VoteRush).cast(ballots)
  })
  // Nobody is sent to the database by themselves: it was asked for its halves, and for nothing below them.
  expect([told, trips()]).toEqual([Array(4).fill('unsure'), 3])
  expect(await countedIn(poll)).toMatchObject([{ votes: 4, ballots: 4, points: 40 }, { votes: 0 }])
})

test('a batch that goes at the end of a poll takes who came before it, to the millisecond', async () => {
  const end = NOON + HOUR
  const fans = await newVoters(4)
  const ballots = [end - 1, end, end + 1, end - 1].map((at, i) => ballotOf(fans[i]!.id, poll, { at }))
  const told = await env.RUSH.getByName('end').cast(ballots)
  const words = told.map((one, i) => {
    try {
      return typeof one === 'string' ? one : earnedBy(one.came, ballots[i]!).pointsAwarded
    } catch (error) {
      return (error as Refused).code
    }
  })
  expect(words).toEqual([10, 'closed', 'closed', 10])
  expect(await countedIn(poll)).toMatchObject([{ votes: 2, ballots: 2, points: 20 }, { votes: 0 }])
})

test('of the very same ballot many times over one is taken, tried again or not', async () => {
  for (const words of [null, 'D1_ERROR: Network connection lost.']) {
    const [fan] = await newVoters(1)
    const ballots = Array.from({ length: 4 }, () => ballotOf(fan!.id, poll))
    const { DB } = watchedD1(env.DB, {
      after: (trip) => {
        if (words && trip === 1) throw new Error(words)
      },
    })
    const counted = await runInDurableObject(env.RUSH.getByName(`same ${words}`), async (object) => {
      Reflect.set(object, 'env', { ...env, DB: alone(DB) })
      return (object as VoteRush).cast(ballots)
    })
    expect(counted.filter((one) => typeof one !== 'string' && one.came.taken)).toHaveLength(1)
  }
  expect(await countedIn(poll)).toMatchObject([{ votes: 2, ballots: 2, points: 20 }, { votes: 0 }])
})
