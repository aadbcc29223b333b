import { asc, count, desc, eq, sql } from 'drizzle-orm'
import type { HallOfFameEntry } from '../contract/hall-of-fame'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { challengeFinalists, challenges, verseSubmissions } from './challenge.table'
import { percentOf, tallyUrl } from './current-challenge'
import { timelineOf } from './states'

/** Somebody won: ballots without a vote that counts have no winner. */
const HAS_WINNER = sql`${challenges.ballotsCount} > ${challenges.excludedCount}`

/** The row of the latest challenge that is counted and whose winner may be told. */
export const latestPublishedQuery = (db: Db, at: Millis, condition = sql`true`) =>
  db
    .select()
    .from(challenges)
    .where(
      sql`${challenges.publishAt} <= ${at} and ${challenges.ballotsSha256} is not null and ${challenges.removedAt} is null and ${condition}`,
    )
    .orderBy(desc(challenges.publishAt), desc(challenges.id))
    .limit(1)

/**
 * The latest published challenge that was voted on: one that ended without a vote hides no other's ballots.
 * @throws AppError `not_found` when there is none.
 */
export async function getLatestVotedChallenge(db: Db, at: Millis) {
  const [challenge] = await latestPublishedQuery(db, at, sql`${challenges.ballotsCount} > 0`)
  if (!challenge)
    throw new AppError('not_found', 'There are no ballots yet: no challenge with votes has been finished.')
  return challenge
}

const noFinishedChallenge = () => new AppError('not_found', 'No challenge has been finished yet.')

/**
 * The latest published challenge that somebody won, counted from its rows; equal votes are won together. Until its votes
 * are fixed and the winner's day is over where the artist lives, nothing of them is told.
 * @throws AppError `not_found` when no challenge has been won.
 */
export async function getHallOfFame(db: Db, at: Millis): Promise<HallOfFameEntry> {
  const latest = latestPublishedQuery(db, at, HAS_WINNER).as('latest')
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
  const [first] = finalists
  if (!challenge || !first) throw noFinishedChallenge()
  const winners = finalists.filter(({ votes }) => votes === first.votes)
  const totalVotes = finalists.reduce((sum, { votes }) => sum + votes, 0)
  return {
    id: challenge.id,
    title: challenge.title,
    winner: winners.map(({ name }) => name).join(' & '),
    date: challenge.winnerOn,
    totalVotes,
    totalSubmissions: submissions?.total ?? 0,
    winnerVotes: first.votes,
    prize: challenge.prize,
    timeline: timelineOf(challenge),
    finalists: finalists.map(({ name, votes }) => ({ name, votes, percent: percentOf(votes, totalVotes) })),
    tally: {
      url: tallyUrl(challenge.id),
      sha256: challenge.ballotsSha256 ?? '',
      excluded: challenge.excludedCount ?? 0,
    },
  }
}

/** A published challenge's digest, by which its tally is found. @throws AppError `not_found` for every other. */
export async function getPublishedDigest(db: D1Database, { id, at }: { id: string; at: Millis }): Promise<string> {
  const row = await db
    .prepare(
      'SELECT ballots_sha256 AS sha256 FROM challenges WHERE id = ?1 AND ballots_sha256 IS NOT NULL AND publish_at <= ?2 AND removed_at IS NULL',
    )
    .bind(id, at)
    .first<{ sha256: string }>()
  if (!row) throw new AppError('not_found', 'The tally is public together with the result.')
  return row.sha256
}
