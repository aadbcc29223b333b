import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newApp } from '../app'
import { HOUR } from '../lib/clock'
import { limits } from '../limits'
import { refusal, send } from '../testing/client'
import { furnish, NOON } from '../testing/furnish'
import { addUser, db, sessionFor } from '../testing/rows'
import { watchedD1 } from '../testing/watched-d1'
import { pollOptions, polls } from './polls.table'

let count = 0
let poll: string

beforeAll(() => furnish(env.DB))
beforeEach(async () => {
  poll = `rush-${++count}`
  await db.insert(polls).values({ id: poll, title: poll, endsAt: NOON + HOUR, createdAt: 0 })
  const option = (name: string, position: number) => ({ id: `${poll}-${name}`, pollId: poll, title: name, position })
  await db.insert(pollOptions).values([option('a', 1), option('b', 2)])
})

/** One isolate: its app counts what it has under way. */
const isolate = () => newApp(() => NOON)
type Options = Parameters<typeof send>[3]

async function voters(many: number) {
  return Promise.all(
    Array.from({ length: many }, async () => {
      const user = await addUser()
      const { headers } = await sessionFor(user, NOON)
      const vote = (option: string, options: Options) =>
        send('POST', `/api/polls/${poll}/vote`, { optionId: `${poll}-${option}` }, { ...options, headers })
      return { id: user.id, vote }
    }),
  )
}

const counted = async () => {
  const { results } = await env.DB.prepare(
    `SELECT o.votes, (SELECT count(*) FROM poll_votes v WHERE v.option_id = o.id) AS ballots,
       (SELECT sum(points) FROM users u JOIN poll_votes v ON v.user_id = u.id WHERE v.option_id = o.id) AS points
     FROM poll_options o WHERE poll_id = ?1 ORDER BY position`,
  )
    .bind(poll)
    .all()
  return results
}

/** The objects of rushes with `cast` in place of theirs. */
const rushThat = (cast: (...ballot: never[]) => unknown) => ({ getByName: () => ({ cast }) }) as never

test('two hundred people at once are two hundred votes, in far fewer round trips', async () => {
  const fans = await voters(200)
  const { DB, trips } = watchedD1(env.DB)
  const app = isolate()
  const answers = await Promise.all(fans.map(({ vote }, i) => vote(i % 4 ? 'a' : 'b', { app, env: { DB } })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await answers.at(-1)?.json()).toEqual({ pointsAwarded: 10, totalPoints: 10, missions: [] })
  expect(await counted()).toEqual([
    { votes: 150, ballots: 150, points: 1500 },
    { votes: 50, ballots: 50, points: 500 },
  ])
  // The isolate itself asked for the first few, and for a straggler now and then; the others went to the poll's objects.
  expect(trips()).toBeGreaterThanOrEqual(limits.rushFrom)
  expect(trips()).toBeLessThan(100)
})

test('one person many times in a rush is one vote, paid once', async () => {
  const [fan] = await voters(1)
  const app = isolate()
  const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => fan!.vote(i % 2 ? 'a' : 'b', { app })))
  const told = await Promise.all(answers.filter(({ status }) => status !== 200).map(refusal))
  expect([answers.length - told.length, new Set(told.map(([, code]) => code))]).toEqual([1, new Set(['already_voted'])])
  expect((await counted()).map(({ votes }) => votes).sort()).toEqual([0, 1])
})

test('a rush refuses as a single vote does', async () => {
  const fans = await voters(12)
  await env.DB.prepare('UPDATE users SET banned_at = 1, session_epoch = 1 WHERE id = ?1').bind(fans[11]!.id).run()
  const app = isolate()
  const answers = await Promise.all(fans.map(({ vote }, i) => vote(i === 10 ? 'none' : 'a', { app })))
  expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect([await refusal(answers[10]!), await refusal(answers[11]!)]).toEqual([
    [400, 'unknown_option', 'That option is not part of this poll.'],
    [403, 'forbidden', 'This account has been suspended.'],
  ])
  await env.DB.prepare('UPDATE polls SET ends_at = ?1 WHERE id = ?2').bind(NOON, poll).run()
  const late = await Promise.all((await voters(12)).map(({ vote }) => vote('a', { app })))
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set([410]))
})

test('a ballot that the database refuses costs the others of its batch nothing', async () => {
  const fans = await voters(30)
  await env.DB.exec(
    `CREATE TRIGGER broken BEFORE INSERT ON poll_votes WHEN NEW.user_id = ${fans[20]!.id} BEGIN SELECT RAISE(ABORT, 'broken'); END`,
  )
  const app = isolate()
  const answers = await Promise.all(fans.map(({ vote }) => vote('a', { app })))
  await env.DB.exec('DROP TRIGGER broken')
  expect(answers.map(({ status }) => status)).toEqual(fans.map((_, i) => (i === 20 ? 500 : 200)))
  expect(await counted()).toMatchObject([{ votes: 29, ballots: 29, points: 290 }, { votes: 0 }])
})

test('where the objects fail, each vote goes by itself', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const fans = await voters(20)
  const app = isolate()
  const RUSH = rushThat(() => Promise.reject(new Error('overloaded')))
  const answers = await Promise.all(fans.map(({ vote }) => vote('b', { app, env: { RUSH } })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await counted()).toMatchObject([{ votes: 0 }, { votes: 20, ballots: 20, points: 200 }])
  expect(error).toHaveBeenCalledWith('{"at":"rush","error":"Error"}')
  error.mockRestore()
})

test('few votes at once, and those of another poll, ask no object', async () => {
  const RUSH = rushThat(() => Promise.reject(new Error('nobody should ask')))
  const app = isolate()
  for (let round = 0; round < 3; round += 1) {
    const fans = await voters(limits.rushFrom)
    const answers = await Promise.all(fans.map(({ vote }) => vote('a', { app, env: { RUSH } })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
})
