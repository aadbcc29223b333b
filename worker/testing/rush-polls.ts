import { env } from 'cloudflare:test'
import { HOUR } from '../lib/clock'
import { pollOptions, polls } from '../polls/polls.table'
import type { Ballot } from '../polls/vote'
import { NOON } from './furnish'
import { db } from './rows'

let count = 0

/** A poll of the options `<id>-a` and `<id>-b`, which takes votes until an hour after `NOON`; its id. */
export async function newRushPoll(): Promise<string> {
  const id = `rush-${++count}`
  await db.insert(polls).values({ id, title: id, endsAt: NOON + HOUR, createdAt: 0 })
  const option = (name: string, position: number) => ({ id: `${id}-${name}`, pollId: id, title: name, position })
  await db.insert(pollOptions).values([option('a', 1), option('b', 2)])
  return id
}

/** What was counted for each option of a poll, its ballots, and the points that its voters have. */
export async function countedIn(poll: string) {
  const { results } = await env.DB.prepare(
    `SELECT o.votes, (SELECT count(*) FROM poll_votes v WHERE v.option_id = o.id) AS ballots,
       (SELECT sum(points) FROM users u JOIN poll_votes v ON v.user_id = u.id WHERE v.option_id = o.id) AS points
     FROM poll_options o WHERE poll_id = ?1 ORDER BY position`,
  )
    .bind(poll)
    .all()
  return results
}

/** Somebody's ballot for the first option. */
export const ballotOf = (userId: number, poll: string, more: Partial<Ballot> = {}): Ballot => ({
  claim: { userId, epoch: 0, sid: '' },
  pollId: poll,
  optionId: `${poll}-a`,
  at: NOON,
  ...more,
})
