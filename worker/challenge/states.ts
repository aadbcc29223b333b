import { CHALLENGE_DAYS, type ChallengeDay } from '../contract/admin-challenge'
import { CHALLENGE_STATES, type ChallengeState } from '../contract/challenge'
import { DAY_MS, type Millis, zonedTimeToUtc } from '../lib/clock'

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
