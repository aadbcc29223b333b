import { and, asc, count, desc, eq, gt, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { hasReached, type PublicChallenge } from '../contract/challenge'
import type { HallOfFameEntry } from '../contract/hall-of-fame'
import type { Db } from '../db/client'
import { slugify } from '../db/slug'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis, toIso } from '../lib/clock'
import { limits } from '../limits'
import { challengeFinalists, challenges, verseSubmissions } from './challenge.table'
import {
  type ChallengeRow,
  challengeColumns,
  challengeNotFoundError,
  HIDDEN_FINALIST_NAME,
  isFinalistHiddenSql,
  MIN_FINALISTS,
  stateOf,
  timelineOf,
  toSeal,
} from './challenge-state'

const IS_HIDDEN = sql<number>`${sql.raw(isFinalistHiddenSql('challenge_finalists'))}`
const publicName = sql<string>`iif(${IS_HIDDEN}, ${HIDDEN_FINALIST_NAME}, ${challengeFinalists.name})`

/** Condition: a counted vote is left after exclusions. */
const HAS_WINNER = gt(challenges.ballotsCount, challenges.excludedCount)

const isPublished = (at: Millis) =>
  and(lte(challenges.publishAt, at), isNotNull(challenges.ballotsSha256), isNull(challenges.removedAt))

/** Query for the latest challenge whose result is public and that meets `condition`. */
export const latestPublishedQuery = (db: Db, at: Millis, condition?: SQL) =>
  db
    .select()
    .from(challenges)
    .where(and(isPublished(at), condition))
    .orderBy(desc(challenges.publishAt), desc(challenges.id))
    .limit(1)

/** The latest published challenge with ballots. @throws AppError `not_found`. */
export async function getLatestVotedChallenge(db: Db, at: Millis) {
  const [challenge] = await latestPublishedQuery(db, at, gt(challenges.ballotsCount, 0))
  if (!challenge)
    throw new AppError('not_found', 'There are no ballots yet. They come with the first finished challenge.')
  return challenge
}

/**
 * The latest published challenge with a winner, counted from its rows; ties share the win. @throws AppError
 * `not_found`.
 */
export async function getHallOfFame(db: Db, at: Millis): Promise<HallOfFameEntry> {
  const latest = latestPublishedQuery(db, at, HAS_WINNER).as('latest')
  const [[challenge], finalists, [submissions]] = await db.batch([
    db.select().from(latest),
    db
      .select({ name: publicName, votes: challengeFinalists.votes })
      .from(latest)
      .innerJoin(challengeFinalists, eq(challengeFinalists.challengeId, latest.id))
      .orderBy(desc(challengeFinalists.votes), asc(challengeFinalists.position)),
    db
      .select({ total: count(verseSubmissions.id) })
      .from(latest)
      .leftJoin(
        verseSubmissions,
        and(eq(verseSubmissions.challengeId, latest.id), isNotNull(verseSubmissions.confirmedAt)),
      ),
  ])
  const [first] = finalists
  if (!challenge || !first) throw new AppError('not_found', 'No challenge has a winner yet.')
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

/** Digest of a published challenge, which locates its tally file. @throws AppError `not_found`. */
export async function getPublishedDigest(db: Db, { id, at }: { id: string; at: Millis }): Promise<string> {
  const [row] = await db
    .select({ sha256: challenges.ballotsSha256 })
    .from(challenges)
    .where(and(eq(challenges.id, id), isPublished(at)))
  if (!row?.sha256) throw new AppError('not_found', 'The tally becomes public with the result.')
  return row.sha256
}

/** A challenge whose voting never opened is shown until this long after its winner's day. */
const ABANDONED_AFTER_MS: Millis = 30 * DAY_MS

const publicColumns = { ...challengeColumns, timeZone: sql<string | null>`(SELECT time_zone FROM site)` }
type PublicChallengeRow = ChallengeRow & { timeZone: string | null }

/** The running challenge that closes first, else the latest finished one, else one whose voting never opened. */
export async function findCurrentRow(db: Db, at: Millis): Promise<PublicChallengeRow | null> {
  const hasResult = sql`(ballots_sha256 IS NOT NULL AND publish_at <= ${at})`
  const neverOpened = sql`(sealed_at IS NULL AND voting_closes_at <= ${at}
    AND (opens_by_hand OR ${challengeColumns.finalistCount} < ${MIN_FINALISTS}))`
  const [row] = await db
    .select(publicColumns)
    .from(challenges)
    .where(and(isNull(challenges.removedAt), or(hasResult, gt(challenges.publishAt, at - ABANDONED_AFTER_MS))))
    .orderBy(neverOpened, hasResult, sql`iif(${hasResult}, -publish_at, voting_closes_at)`, challenges.id)
    .limit(1)
  return row ?? null
}

export async function findChallengeRow(db: Db, id: string): Promise<PublicChallengeRow | null> {
  const [row] = await db
    .select(publicColumns)
    .from(challenges)
    .where(and(eq(challenges.id, id), isNull(challenges.removedAt)))
  return row ?? null
}

/** The beat's R2 key, and its file name without extension. @throws AppError `not_found`. */
export async function findBeat(db: Db, id: string): Promise<{ key: string; fileName: string }> {
  const [row] = await db
    .select({ key: challenges.beatKey, title: challenges.title })
    .from(challenges)
    .where(and(eq(challenges.id, id), isNull(challenges.removedAt)))
  if (!row) throw challengeNotFoundError()
  if (row.key === null) throw new AppError('not_found', 'This challenge has no beat to play.')
  return { key: row.key, fileName: `${slugify(row.title, 'challenge')}-beat` }
}

/** Finished challenges other than `exceptId`, latest first. */
const listFinished = (db: Db, at: Millis, exceptId = '') =>
  db
    .select({ id: challenges.id, title: challenges.title, date: challenges.winnerOn })
    .from(challenges)
    .where(and(isPublished(at), ne(challenges.id, exceptId)))
    .orderBy(desc(challenges.publishAt), desc(challenges.id))
    .limit(limits.maxChallengesListed)

type Finalist = { id: string; name: string; isHidden: number; votes: number; audioKey: string | null }

/** The running challenge, else the last one; null without any. */
export async function getCurrentChallenge(db: Db, at: Millis): Promise<PublicChallenge | null> {
  const row = await findCurrentRow(db, at)
  return row && toPublicChallenge(db, row, at)
}

/** @throws AppError `not_found`. */
export async function getChallenge(db: Db, id: string, at: Millis): Promise<PublicChallenge> {
  const row = await findChallengeRow(db, id)
  if (!row) throw challengeNotFoundError()
  return toPublicChallenge(db, row, at)
}

/** Paths of finished challenges, latest first. */
export async function listChallengePaths(db: Db, at: Millis): Promise<string[]> {
  return (await listFinished(db, at)).map(({ id }) => `/challenge/${encodeURIComponent(id)}`)
}

/** Finalists in the artist's order. Their votes are not read before the result is published. */
const listFinalists = (db: Db, challengeId: string, showsVotes: boolean): Promise<Finalist[]> =>
  db
    .select({
      id: challengeFinalists.id,
      name: publicName,
      isHidden: IS_HIDDEN,
      votes: showsVotes ? challengeFinalists.votes : sql<number>`0`,
      audioKey: verseSubmissions.audioKey,
    })
    .from(challengeFinalists)
    .leftJoin(verseSubmissions, eq(verseSubmissions.id, challengeFinalists.submissionId))
    .where(eq(challengeFinalists.challengeId, challengeId))
    .orderBy(challengeFinalists.position)
    .execute()

async function toPublicChallenge(db: Db, row: PublicChallengeRow, at: Millis): Promise<PublicChallenge> {
  const state = stateOf(row, at)
  const areFinalistsPublic = at >= row.finalistsAt && hasReached(state, 'finalists')
  const finalists = areFinalistsPublic ? await listFinalists(db, row.id, state === 'published') : []
  const others = await listFinished(db, at, row.id)
  return {
    id: row.id,
    title: row.title,
    prize: row.prize,
    rules: row.rules,
    beatUrl: row.beatKey === null ? null : `/api/challenges/${encodeURIComponent(row.id)}/beat`,
    state,
    timeZone: row.timeZone ?? 'UTC',
    timeline: timelineOf(row),
    submissionsOpenAt: toIso(row.submissionsOpenAt),
    submissionsCloseAt: toIso(row.submissionsCloseAt),
    finalistsAt: toIso(row.finalistsAt),
    votingOpensAt: toIso(row.votingOpensAt),
    votingClosesAt: toIso(row.votingClosesAt),
    publishedAt: toIso(row.publishAt),
    // Hidden finalists are listed only in the result, without their name.
    finalists: finalists
      .filter(({ isHidden }) => !isHidden || state === 'published')
      .map(({ id, name, isHidden, audioKey }) => ({
        id,
        name,
        audioUrl: audioKey && !isHidden ? `/api/challenge/finalists/${id}/audio` : null,
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
