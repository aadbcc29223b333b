import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { CHALLENGE_DAYS, type ChallengeDay } from '../contract/admin-challenge'
import { type ChallengeState, hasReached, type TallySeal } from '../contract/challenge'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis, toIso, utcDay, zonedTimeToUtc } from '../lib/clock'
import { challenges } from './challenge.table'

/** A challenge's columns, with the number of its finalists. */
export const challengeColumns = {
  ...getTableColumns(challenges),
  finalistCount: sql<number>`(SELECT count(*) FROM challenge_finalists WHERE challenge_id = challenges.id)`,
}
export type ChallengeRow = typeof challenges.$inferSelect & { finalistCount: number }

/** SQL condition for optimistic locking: the challenge still has the timestamps, seal and digest of `row`. */
export const isUnchanged = (row: ChallengeRow) =>
  sql`json_array(submissions_open_at, submissions_close_at, finalists_at, voting_opens_at, voting_closes_at, publish_at,
    sealed_at, ballots_sha256) = ${JSON.stringify([...TIMESTAMP_NAMES.map((name) => row[name]), row.sealedAt, row.ballotsSha256])}`

export const challengeNotFoundError = () => new AppError('not_found', 'That challenge does not exist.')

/** @throws AppError `not_found`. */
export async function requireChallenge(db: Db, id: string): Promise<ChallengeRow> {
  const [row] = await db
    .select(challengeColumns)
    .from(challenges)
    .where(and(eq(challenges.id, id), isNull(challenges.removedAt)))
  if (!row) throw challengeNotFoundError()
  return row
}

/** Digest of the final votes; null until they are counted. */
export const toSeal = ({ sealedAt, ballotsSha256, ballotsCount }: ChallengeRow): TallySeal | null =>
  sealedAt === null || ballotsSha256 === null
    ? null
    : { sha256: ballotsSha256, ballots: ballotsCount ?? 0, sealedAt: toIso(sealedAt) }

/** SQL condition on the table or alias `finalist`: its account is banned, so name and recording are hidden. */
export const isFinalistHiddenSql = (
  finalist: string,
) => `EXISTS (SELECT 1 FROM verse_submissions v JOIN users u ON u.id = v.user_id
  WHERE v.id = ${finalist}.submission_id AND u.banned_at IS NOT NULL)`
export const HIDDEN_FINALIST_NAME = 'A hidden finalist'

/** SQL over `challenges c`: when finalists become public, not before submissions have closed. */
export const FINALISTS_PUBLIC_AT = 'max(c.finalists_at, c.submissions_close_at)'

type ChallengePhases = PhaseTimestamps &
  Pick<ChallengeRow, 'sealedAt' | 'ballotsSha256' | 'opensByHand' | 'finalistCount'>

export const MIN_FINALISTS = 2

/** State at `at`, computed from the row. No job is needed except to make the votes final and count them. */
export function stateOf(phases: ChallengePhases, at: Millis): ChallengeState {
  if (phases.ballotsSha256 !== null && at >= phases.publishAt) return 'published'
  if (phases.sealedAt !== null) return 'closed'
  if (at < phases.submissionsOpenAt) return 'announced'
  if (at < phases.submissionsCloseAt) return 'submissions'
  if (at < phases.votingOpensAt || phases.finalistCount < MIN_FINALISTS || phases.opensByHand) return 'finalists'
  return at < phases.votingClosesAt ? 'voting' : 'closed'
}

type Days = Record<ChallengeDay, string>
const TIMESTAMP_NAMES = [
  'submissionsOpenAt',
  'submissionsCloseAt',
  'finalistsAt',
  'votingOpensAt',
  'votingClosesAt',
  'publishAt',
] as const
export type TimestampName = (typeof TIMESTAMP_NAMES)[number]
export type PhaseTimestamps = Record<TimestampName, Millis>

/** The timestamp that each day defines; none for `closedOn`, which is only displayed. */
export const TIMESTAMP_OF_DAY: Readonly<Partial<Record<ChallengeDay, TimestampName>>> = {
  submissionsFrom: 'submissionsOpenAt',
  submissionsUntil: 'submissionsCloseAt',
  finalistsOn: 'finalistsAt',
  votingFrom: 'votingOpensAt',
  votingUntil: 'votingClosesAt',
  winnerOn: 'publishAt',
}

/**
 * A phase lasts from the start of its first day to the end of its last; the winner is published at the end of the
 * winner's day.
 */
export function timestampsOf(days: Days, timeZone: string): PhaseTimestamps {
  const startOf = (day: string) => zonedTimeToUtc(day, '00:00', timeZone)
  const endOf = (day: string) => startOf(utcDay(Date.parse(day) + DAY_MS))
  return {
    submissionsOpenAt: startOf(days.submissionsFrom),
    submissionsCloseAt: endOf(days.submissionsUntil),
    finalistsAt: startOf(days.finalistsOn),
    votingOpensAt: startOf(days.votingFrom),
    votingClosesAt: endOf(days.votingUntil),
    publishAt: endOf(days.winnerOn),
  }
}

/** Days that took effect (the last day of a phase: once it is over) and can no longer change. */
export function startedDaysOf(phases: ChallengePhases, at: Millis): ChallengeDay[] {
  const state = stateOf(phases, at)
  const isStarted: Record<ChallengeDay, boolean> = {
    submissionsFrom: hasReached(state, 'submissions'),
    submissionsUntil: hasReached(state, 'finalists'),
    finalistsOn: hasReached(state, 'finalists') && at >= phases.finalistsAt,
    votingFrom: hasReached(state, 'voting'),
    votingUntil: hasReached(state, 'closed'),
    winnerOn: state === 'published',
    closedOn: false,
  }
  return CHALLENGE_DAYS.filter((day) => isStarted[day])
}

const DAY_LABELS: Record<ChallengeDay, string> = {
  submissionsFrom: 'Submissions open',
  submissionsUntil: 'Submissions close',
  finalistsOn: 'Finalists named',
  votingFrom: 'Voting opens',
  votingUntil: 'Voting closes',
  winnerOn: 'Winner announced',
  closedOn: 'Closed',
}

export const timelineOf = (days: Days) => CHALLENGE_DAYS.map((day) => ({ label: DAY_LABELS[day], date: days[day] }))

export const concurrentChangeError = () =>
  new AppError('conflict', 'This challenge has just changed. Please check again.')
