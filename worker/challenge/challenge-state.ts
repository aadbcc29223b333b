import { CHALLENGE_DAYS, type ChallengeDay } from '../contract/admin-challenge'
import type { TallySeal } from '../contract/challenge'
import { CHALLENGE_STATES, type ChallengeState } from '../contract/challenge'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { DAY_MS, zonedTimeToUtc } from '../lib/clock'

/** A challenge as it stands in D1. */
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

/** The columns of `Row`, of a table that is called `challenges`. */
export const CHALLENGE_COLUMNS = `challenges.id, title, prize, rules, submissions_from AS submissionsFrom,
  submissions_until AS submissionsUntil, finalists_on AS finalistsOn, voting_from AS votingFrom,
  voting_until AS votingUntil, winner_on AS winnerOn, closed_on AS closedOn,
  submissions_open_at AS submissionsOpenAt, submissions_close_at AS submissionsCloseAt, finalists_at AS finalistsAt,
  voting_opens_at AS votingOpensAt, voting_closes_at AS votingClosesAt, publish_at AS publishAt, sealed_at AS sealedAt,
  ballots_sha256 AS ballotsSha256, ballots_count AS ballotsCount, excluded_count AS excludedCount,
  opens_by_hand AS opensByHand, keyed_by AS keyedBy,
  (SELECT count(*) FROM challenge_finalists WHERE challenge_id = challenges.id) AS named`

/**
 * SQL and its value by which a write makes sure that the challenge still stands as `row` was read: of two administrators
 * who move it at once, one does.
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

/** @throws AppError `not_found`. */
export async function requireChallenge(db: D1Database, id: string): Promise<ChallengeRow> {
  const row = await db
    .prepare(`SELECT ${CHALLENGE_COLUMNS} FROM challenges WHERE id = ?1 AND removed_at IS NULL`)
    .bind(id)
    .first<ChallengeRow>()
  if (!row) throw challengeNotFound()
  return row
}

/** What is public of a count from the moment the votes are fixed; null while they are not, or are being counted. */
export const toSeal = ({ sealedAt, ballotsSha256, ballotsCount }: ChallengeRow): TallySeal | null =>
  sealedAt === null || ballotsSha256 === null
    ? null
    : { sha256: ballotsSha256, ballots: ballotsCount ?? 0, sealedAt: new Date(sealedAt).toISOString() }

/**
 * From when on the public hears of finalists (SQL over `c`, a challenge): the desk picks among verses as they come, and
 * nobody is told before the last of them is in and the finalists' day has come.
 */
export const FINALISTS_PUBLIC_AT = 'max(c.finalists_at, c.submissions_close_at)'

/** The instants that decide, and whether the votes are fixed and counted. */
export type ChallengePhases = {
  submissionsOpenAt: Millis
  submissionsCloseAt: Millis
  finalistsAt: Millis
  votingOpensAt: Millis
  votingClosesAt: Millis
  publishAt: Millis
  sealedAt: Millis | null
  ballotsSha256: string | null
  /** Finalists were named after voting should have opened: it does not open with one of their names, but by hand. */
  opensByHand: 0 | 1
  /** How many finalists are named: a vote between fewer than two is none. */
  named: number
}

/** Voting needs so many. */
export const MIN_FINALISTS = 2

/** Where a challenge stands at `at`. Nothing has to run for it to move: only counting has to be done by somebody. */
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

export type Days = Record<ChallengeDay, string>
/** The instants, without what is only known later. */
export const TIMESTAMPS = [
  'submissionsOpenAt',
  'submissionsCloseAt',
  'finalistsAt',
  'votingOpensAt',
  'votingClosesAt',
  'publishAt',
] as const
export type TimestampName = (typeof TIMESTAMPS)[number]
export type Timestamps = Record<TimestampName, Millis>

/** Which instant a day makes. The prize is handed over on the last one: nothing begins or ends with it. */
export const TIMESTAMP_OF_DAY: Readonly<Partial<Record<ChallengeDay, TimestampName>>> = {
  submissionsFrom: 'submissionsOpenAt',
  submissionsUntil: 'submissionsCloseAt',
  finalistsOn: 'finalistsAt',
  votingFrom: 'votingOpensAt',
  votingUntil: 'votingClosesAt',
  winnerOn: 'publishAt',
}

/** A stage begins with its first day and ends with its last one; the winner is told when the winner's day is over. */
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

/** Which days have begun to count, so that nobody may move them. */
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
