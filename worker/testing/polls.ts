import { env } from 'cloudflare:test'
import { HOUR_MS } from '../lib/clock'
import { pollOptions, polls } from '../polls/polls.table'
import type { Vote } from '../polls/vote'
import { db } from './rows'
import { NOON } from './seed'

let count = 0

/** A poll of the options `<id>-a` and `<id>-b`, which takes votes until an hour after `NOON`; its id. */
export async function addPoll(): Promise<string> {
  const id = `rush-${++count}`
  await db.insert(polls).values({ id, title: id, endsAt: NOON + HOUR_MS, createdAt: 0 })
  const option = (name: string, position: number) => ({ id: `${id}-${name}`, pollId: id, title: name, position })
  await db.insert(pollOptions).values([option('a', 1), option('b', 2)])
  return id
}

/** What was counted for each option of a poll, its ballots, and the points that its voters have. */
export async function pollCounts(poll: string) {
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
export const voteBy = (userId: number, poll: string, more: Partial<Vote> = {}): Vote => ({
  session: { userId, epoch: 0, sid: '' },
  pollId: poll,
  optionId: `${poll}-a`,
  at: NOON,
  ...more,
})
