import { and, asc, count, desc, eq, isNull, lt } from 'drizzle-orm'
import type { Challenge } from '../contract/challenge'
import type { Db } from '../db/client'
import { type Millis, wallClock } from '../lib/clock'
import { Refused } from '../lib/refused'
import { artist } from '../site/site'
import { challengeFinalists, challenges, verseSubmissions } from './challenge.table'

/** The row of the latest challenge that is finished: the winner's day is over where the artist lives. */
const latestOf = (db: Db, today: string) =>
  db
    .select()
    .from(challenges)
    .where(and(lt(challenges.winnerOn, today), isNull(challenges.removedAt)))
    .orderBy(desc(challenges.winnerOn), desc(challenges.id))
    .limit(1)

/** The latest finished challenge. @throws Refused `not_found` when no challenge has been finished. */
export async function latestFinished(db: Db, at: Millis) {
  const { timeZone } = await artist(db)
  const [challenge] = await latestOf(db, wallClock(at, timeZone).date)
  if (!challenge) throw noneFinished()
  return challenge
}

const noneFinished = () => new Refused('not_found', 'No challenge has been finished yet.')

/**
 * The latest finished challenge, counted from its rows. It is finished once the winner's day is over where the artist
 * lives: until then votes may come in, and nothing of them is told.
 * @throws Refused `not_found` when no challenge has been finished.
 */
export async function hallOfFame(db: Db, at: Millis): Promise<Challenge> {
  const { timeZone } = await artist(db)
  const latest = latestOf(db, wallClock(at, timeZone).date).as('latest')
  const [[challenge], finalists, [submissions]] = await db.batch([
    db.select().from(latest),
    db
      .select({ name: challengeFinalists.name, votes: challengeFinalists.votes })
      .from(latest)
      .innerJoin(challengeFinalists, eq(challengeFinalists.challengeId, latest.id))
      .orderBy(desc(challengeFinalists.votes), asc(challengeFinalists.position)),
    db
      .select({ total: count(verseSubmissions.id) })
      .from(latest)
      .leftJoin(verseSubmissions, eq(verseSubmissions.challengeId, latest.id)),
  ])
  const [winner] = finalists
  if (!challenge || !winner) throw noneFinished()
  const totalVotes = finalists.reduce((sum, { votes }) => sum + votes, 0)
  return {
    id: challenge.id,
    title: challenge.title,
    winner: winner.name,
    date: challenge.winnerOn,
    totalVotes,
    totalSubmissions: submissions?.total ?? 0,
    winnerVotes: winner.votes,
    prize: challenge.prize,
    timeline: [
      { label: 'Submissions open', date: challenge.submissionsFrom },
      { label: 'Submissions close', date: challenge.submissionsUntil },
      { label: 'Finalists named', date: challenge.finalistsOn },
      { label: 'Voting opens', date: challenge.votingFrom },
      { label: 'Voting closes', date: challenge.votingUntil },
      { label: 'Winner announced', date: challenge.winnerOn },
      { label: 'Closed', date: challenge.closedOn },
    ],
    finalists: finalists.map(({ name, votes }) => ({
      name,
      votes,
      percent: totalVotes === 0 ? 0 : Math.round((votes * 1000) / totalVotes) / 10,
    })),
  }
}
