import { asc, count, desc, eq, sql } from 'drizzle-orm'
import type { PublicChallenge } from '../contract/challenge'
import type { HallOfFameEntry } from '../contract/hall-of-fame'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { DAY_MS } from '../lib/clock'
import { limits } from '../limits'
import { challengeFinalists, challenges, verseSubmissions } from './challenge.table'
import {
  CHALLENGE_COLUMNS,
  type ChallengeRow,
  challengeNotFound,
  isAtLeast,
  MIN_FINALISTS,
  stateOf,
  timelineOf,
  toSeal,
} from './challenge-state'

/** Excludes challenges without a counted vote. */
const HAS_WINNER = sql`${challenges.ballotsCount} > ${challenges.excludedCount}`

/** The latest challenge whose result may be shown. */
export const latestPublishedQuery = (db: Db, at: Millis, condition = sql`true`) =>
  db
    .select()
    .from(challenges)
    .where(
      sql`${challenges.publishAt} <= ${at} and ${challenges.ballotsSha256} is not null and ${challenges.removedAt} is null and ${condition}`,
    )
    .orderBy(desc(challenges.publishAt), desc(challenges.id))
    .limit(1)

/** The latest published challenge with ballots. @throws AppError 'not_found'. */
export async function getLatestVotedChallenge(db: Db, at: Millis) {
  const [challenge] = await latestPublishedQuery(db, at, sql`${challenges.ballotsCount} > 0`)
  if (!challenge)
    throw new AppError('not_found', 'There are no ballots yet: no challenge with votes has been finished.')
  return challenge
}

const noFinishedChallenge = () => new AppError('not_found', 'No challenge has been finished yet.')

/**
 * The latest published challenge with a winner, counted from its rows; ties share the win. @throws AppError
 * 'not_found'.
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

/** Digest of a published challenge, which locates its tally file. @throws AppError 'not_found'. */
export async function getPublishedDigest(db: Db, { id, at }: { id: string; at: Millis }): Promise<string> {
  const row = await db.$client
    .prepare(
      'SELECT ballots_sha256 AS sha256 FROM challenges WHERE id = ?1 AND ballots_sha256 IS NOT NULL AND publish_at <= ?2 AND removed_at IS NULL',
    )
    .bind(id, at)
    .first<{ sha256: string }>()
  if (!row) throw new AppError('not_found', 'The tally is public together with the result.')
  return row.sha256
}

const IS_PUBLISHED = 'ballots_sha256 IS NOT NULL AND publish_at <= ?1'
/** A challenge that never opened voting gives way this long after its winner's day, */
const ABANDONED_AFTER_MS: Millis = 30 * DAY_MS
/** and ranks below all others once its voting period is over. */
const NEVER_OPENED = `sealed_at IS NULL AND voting_closes_at <= ?1 AND (opens_by_hand
  OR (SELECT count(*) FROM challenge_finalists WHERE challenge_id = challenges.id) < ${MIN_FINALISTS})`

/** ?1 now. The running challenge that is decided next, else the last one, else one that never opened. */
const CURRENT_SQL = `
  SELECT ${CHALLENGE_COLUMNS}, (SELECT time_zone FROM site) AS timeZone FROM challenges
  WHERE removed_at IS NULL AND ((${IS_PUBLISHED}) OR publish_at > ?1 - ${ABANDONED_AFTER_MS})
  ORDER BY (${NEVER_OPENED}), (${IS_PUBLISHED}), iif(${IS_PUBLISHED}, -publish_at, voting_closes_at), id LIMIT 1`

const BY_ID_SQL = `SELECT ${CHALLENGE_COLUMNS}, (SELECT time_zone FROM site) AS timeZone FROM challenges WHERE id = ?1 AND removed_at IS NULL`
/** ?1 now, ?2 the challenge to leave out. */
const FINISHED_SQL = `
  SELECT id, title, winner_on AS date FROM challenges WHERE ${IS_PUBLISHED} AND removed_at IS NULL AND id <> ?2
  ORDER BY publish_at DESC, id DESC LIMIT ${limits.maxChallengesListed}`

type PublicChallengeRow = ChallengeRow & { timeZone: string | null }

/** The running challenge, else the last one. */
export const findCurrentRow = (db: Db, at: Millis): Promise<PublicChallengeRow | null> =>
  db.$client.prepare(CURRENT_SQL).bind(at).first()

export const findChallengeRow = (db: Db, id: string): Promise<PublicChallengeRow | null> =>
  db.$client.prepare(BY_ID_SQL).bind(id).first()

type Finalist = { id: string; name: string; votes: number; hasAudio: number }

/** The running challenge, else the last one; null without any. */
export async function getCurrentChallenge(db: Db, at: Millis): Promise<PublicChallenge | null> {
  const row = await findCurrentRow(db, at)
  return row && toCurrentChallenge(db, row, at)
}

/** @throws AppError 'not_found'. */
export async function getChallenge(db: Db, id: string, at: Millis): Promise<PublicChallenge> {
  const row = await findChallengeRow(db, id)
  if (!row) throw challengeNotFound()
  return toCurrentChallenge(db, row, at)
}

/** Paths of finished challenges, latest first. */
export async function listChallengePaths(db: Db, at: Millis): Promise<string[]> {
  const { results } = await db.$client.prepare(FINISHED_SQL).bind(at, '').all<{ id: string }>()
  return results.map(({ id }) => `/challenge/${encodeURIComponent(id)}`)
}

/** Does not select votes before the result is published. */
async function toCurrentChallenge(db: Db, row: PublicChallengeRow, at: Millis): Promise<PublicChallenge> {
  const state = stateOf(row, at)
  const showsFinalists = at >= row.finalistsAt && isAtLeast(state, 'finalists')
  const { results: finalists } = showsFinalists
    ? await db.$client
        .prepare(
          `SELECT f.id, f.name, iif(?2, f.votes, 0) AS votes, v.audio_key IS NOT NULL AS hasAudio
           FROM challenge_finalists f LEFT JOIN verse_submissions v ON v.id = f.submission_id
           WHERE f.challenge_id = ?1 ORDER BY f.position`,
        )
        .bind(row.id, Number(state === 'published'))
        .all<Finalist>()
    : { results: [] }
  const { results: others } = await db.$client
    .prepare(FINISHED_SQL)
    .bind(at, row.id)
    .all<PublicChallenge['others'][number]>()
  const toIso = (millis: Millis) => new Date(millis).toISOString()
  return {
    id: row.id,
    title: row.title,
    prize: row.prize,
    rules: row.rules,
    state,
    timeZone: row.timeZone ?? 'UTC',
    timeline: timelineOf(row),
    submissionsOpenAt: toIso(row.submissionsOpenAt),
    submissionsCloseAt: toIso(row.submissionsCloseAt),
    finalistsAt: toIso(row.finalistsAt),
    votingOpensAt: toIso(row.votingOpensAt),
    votingClosesAt: toIso(row.votingClosesAt),
    publishedAt: toIso(row.publishAt),
    finalists: finalists.map(({ id, name, hasAudio }) => ({
      id,
      name,
      audioUrl: hasAudio ? `/api/challenge/finalists/${id}/audio` : null,
    })),
    seal: toSeal(row),
    results: state === 'published' ? toResults(row, finalists) : null,
    others,
  }
}

function toResults(row: ChallengeRow, finalists: readonly Finalist[]): PublicChallenge['results'] {
  const counted = finalists.reduce((sum, { votes }) => sum + votes, 0)
  return {
    // The sort is stable: ties keep the artist's order.
    finalists: finalists
      .toSorted((a, b) => b.votes - a.votes)
      .map(({ id, name, votes }) => ({ id, name, votes, percent: percentOf(votes, counted) })),
    counted,
    excluded: row.excludedCount ?? 0,
    tallyUrl: tallyUrl(row.id),
  }
}

const tallyUrl = (id: string) => `/api/challenges/${id}/tally.csv`

/** Percentage with one decimal; 0 if `total` is 0. */
const percentOf = (votes: number, total: number) => (total === 0 ? 0 : Math.round((votes * 1000) / total) / 10)
