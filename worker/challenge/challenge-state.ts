import { CHALLENGE_DAYS, type ChallengeDay } from '../contract/admin-challenge'
import type { TallySeal } from '../contract/challenge'
import { CHALLENGE_STATES, type ChallengeState } from '../contract/challenge'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { DAY_MS, zonedTimeToUtc } from '../lib/clock'

export type ChallengeRow = { id: string; title: string; prize: string; rules: string } & Days &
  Timestamps & {
    sealedAt: Millis | null
    ballotsSha256: string | null
    ballotsCount: number | null
    excludedCount: number | null
    opensByHand: 0 | 1
    keyedBy: string | null
    named: number
  }

/** Columns of ChallengeRow, selected from `challenges`. */
export const CHALLENGE_COLUMNS = `challenges.id, title, prize, rules, submissions_from AS submissionsFrom,
  submissions_until AS submissionsUntil, finalists_on AS finalistsOn, voting_from AS votingFrom,
  voting_until AS votingUntil, winner_on AS winnerOn, closed_on AS closedOn,
  submissions_open_at AS submissionsOpenAt, submissions_close_at AS submissionsCloseAt, finalists_at AS finalistsAt,
  voting_opens_at AS votingOpensAt, voting_closes_at AS votingClosesAt, publish_at AS publishAt, sealed_at AS sealedAt,
  ballots_sha256 AS ballotsSha256, ballots_count AS ballotsCount, excluded_count AS excludedCount,
  opens_by_hand AS opensByHand, keyed_by AS keyedBy,
  (SELECT count(*) FROM challenge_finalists WHERE challenge_id = challenges.id) AS named`

/**
 * SQL expression and its value for optimistic locking: a write applies only if the challenge is still as `row` was
 * read.
 */
export const PHASE_VERSION_SQL = `json_array(submissions_open_at, submissions_close_at, finalists_at, voting_opens_at,
  voting_closes_at, publish_at, sealed_at, ballots_sha256)`
export const phaseVersion = (row: ChallengeRow) =>
  JSON.stringify([
    row.submissionsOpenAt,
    row.submissionsCloseAt,
    row.finalistsAt,
    row.votingOpensAt,
    row.votingClosesAt,
    row.publishAt,
    row.sealedAt,
    row.ballotsSha256,
  ])

export const challengeNotFound = () => new AppError('not_found', 'That challenge does not exist.')

/** @throws AppError 'not_found'. */
export async function requireChallenge(db: Db, id: string): Promise<ChallengeRow> {
  const row = await db.$client
    .prepare(`SELECT ${CHALLENGE_COLUMNS} FROM challenges WHERE id = ?1 AND removed_at IS NULL`)
    .bind(id)
    .first<ChallengeRow>()
  if (!row) throw challengeNotFound()
  return row
}

/** Digest of the final votes; null until they are counted. */
export const toSeal = ({ sealedAt, ballotsSha256, ballotsCount }: ChallengeRow): TallySeal | null =>
  sealedAt === null || ballotsSha256 === null
    ? null
    : { sha256: ballotsSha256, ballots: ballotsCount ?? 0, sealedAt: new Date(sealedAt).toISOString() }

/** SQL over `challenges c`: when finalists become public, not before submissions have closed. */
export const FINALISTS_PUBLIC_AT = 'max(c.finalists_at, c.submissions_close_at)'

/** Timestamps and facts that decide the state. */
type ChallengePhases = {
  submissionsOpenAt: Millis
  submissionsCloseAt: Millis
  finalistsAt: Millis
  votingOpensAt: Millis
  votingClosesAt: Millis
  publishAt: Millis
  sealedAt: Millis | null
  ballotsSha256: string | null
  /** Finalists were named after voting was due to open: an administrator opens it. */
  opensByHand: 0 | 1
  /** Number of finalists. */
  named: number
}

export const MIN_FINALISTS = 2

/** State at `at`, computed from timestamps; only counting needs a job. */
export function stateOf(stages: ChallengePhases, at: Millis): ChallengeState {
  if (stages.ballotsSha256 !== null && at >= stages.publishAt) return 'published'
  if (stages.sealedAt !== null) return 'closed'
  if (at < stages.submissionsOpenAt) return 'announced'
  if (at < stages.submissionsCloseAt) return 'submissions'
  if (at < stages.votingOpensAt || stages.named < MIN_FINALISTS || stages.opensByHand) return 'finalists'
  return at < stages.votingClosesAt ? 'voting' : 'closed'
}

export const isAtLeast = (state: ChallengeState, other: ChallengeState): boolean =>
  CHALLENGE_STATES.indexOf(state) >= CHALLENGE_STATES.indexOf(other)

type Days = Record<ChallengeDay, string>
export const TIMESTAMPS = [
  'submissionsOpenAt',
  'submissionsCloseAt',
  'finalistsAt',
  'votingOpensAt',
  'votingClosesAt',
  'publishAt',
] as const
type TimestampName = (typeof TIMESTAMPS)[number]
export type Timestamps = Record<TimestampName, Millis>

/** Timestamp that each day defines. `closedOn` is informational. */
export const TIMESTAMP_OF_DAY: Readonly<Partial<Record<ChallengeDay, TimestampName>>> = {
  submissionsFrom: 'submissionsOpenAt',
  submissionsUntil: 'submissionsCloseAt',
  finalistsOn: 'finalistsAt',
  votingFrom: 'votingOpensAt',
  votingUntil: 'votingClosesAt',
  winnerOn: 'publishAt',
}

/**
 * A stage lasts from the start of its first day to the end of its last; the winner is published at the end of the
 * winner's day.
 */
export function timestampsOf(days: Days, timeZone: string): Timestamps {
  const startOf = (day: string) => zonedTimeToUtc(day, '00:00', timeZone)
  const endOf = (day: string) => startOf(new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10))
  return {
    submissionsOpenAt: startOf(days.submissionsFrom),
    submissionsCloseAt: endOf(days.submissionsUntil),
    finalistsAt: startOf(days.finalistsOn),
    votingOpensAt: startOf(days.votingFrom),
    votingClosesAt: endOf(days.votingUntil),
    publishAt: endOf(days.winnerOn),
  }
}

/** Days that have begun and can no longer change. */
export function startedDays(stages: ChallengePhases, at: Millis): ChallengeDay[] {
  const state = stateOf(stages, at)
  const isStarted: Record<ChallengeDay, boolean> = {
    submissionsFrom: isAtLeast(state, 'submissions'),
    submissionsUntil: isAtLeast(state, 'finalists'),
    finalistsOn: isAtLeast(state, 'finalists') && at >= stages.finalistsAt,
    votingFrom: isAtLeast(state, 'voting'),
    votingUntil: isAtLeast(state, 'closed'),
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
export const concurrentChange = () =>
  new AppError('conflict', 'Somebody else has just changed this. Please look again.')
