import { DAYS, type Day } from '../contract/challenge-desk'
import { CHALLENGE_STATES, type ChallengeState } from '../contract/challenge-now'
import { DAY, instantOf, type Millis } from '../lib/clock'

/** The instants that decide, and whether the votes are fixed and counted. */
export type Stages = {
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
export const FEWEST_FINALISTS = 2

/** Where a challenge stands at `at`. Nothing has to run for it to move: only counting has to be done by somebody. */
export function stateOf(stages: Stages, at: Millis): ChallengeState {
  if (stages.ballotsSha256 !== null && at >= stages.publishAt) return 'published'
  if (stages.sealedAt !== null) return 'closed'
  if (at < stages.submissionsOpenAt) return 'announced'
  if (at < stages.submissionsCloseAt) return 'submissions'
  if (at < stages.votingOpensAt || stages.named < FEWEST_FINALISTS || stages.opensByHand) return 'finalists'
  return at < stages.votingClosesAt ? 'voting' : 'closed'
}

export const isAtLeast = (state: ChallengeState, other: ChallengeState): boolean =>
  CHALLENGE_STATES.indexOf(state) >= CHALLENGE_STATES.indexOf(other)

export type Days = Record<Day, string>
/** The instants, without what is only known later. */
export const INSTANTS = [
  'submissionsOpenAt',
  'submissionsCloseAt',
  'finalistsAt',
  'votingOpensAt',
  'votingClosesAt',
  'publishAt',
] as const
export type Instant = (typeof INSTANTS)[number]
export type Instants = Record<Instant, Millis>

/** Which instant a day makes. The prize is handed over on the last one: nothing begins or ends with it. */
export const INSTANT_OF: Readonly<Partial<Record<Day, Instant>>> = {
  submissionsFrom: 'submissionsOpenAt',
  submissionsUntil: 'submissionsCloseAt',
  finalistsOn: 'finalistsAt',
  votingFrom: 'votingOpensAt',
  votingUntil: 'votingClosesAt',
  winnerOn: 'publishAt',
}

/** A stage begins with its first day and ends with its last one; the winner is told when the winner's day is over. */
export function instantsOf(days: Days, timeZone: string): Instants {
  const begins = (day: string) => instantOf(day, '00:00', timeZone)
  const ends = (day: string) => begins(new Date(Date.parse(day) + DAY).toISOString().slice(0, 10))
  return {
    submissionsOpenAt: begins(days.submissionsFrom),
    submissionsCloseAt: ends(days.submissionsUntil),
    finalistsAt: begins(days.finalistsOn),
    votingOpensAt: begins(days.votingFrom),
    votingClosesAt: ends(days.votingUntil),
    publishAt: ends(days.winnerOn),
  }
}

/** Which days have begun to count, so that nobody may move them. */
export function begunDays(stages: Stages, at: Millis): Day[] {
  const state = stateOf(stages, at)
  const begun: Record<Day, boolean> = {
    submissionsFrom: isAtLeast(state, 'submissions'),
    submissionsUntil: isAtLeast(state, 'finalists'),
    finalistsOn: isAtLeast(state, 'finalists') && at >= stages.finalistsAt,
    votingFrom: isAtLeast(state, 'voting'),
    votingUntil: isAtLeast(state, 'closed'),
    winnerOn: state === 'published',
    closedOn: false,
  }
  return DAYS.filter((day) => begun[day])
}

const LABELS: Record<Day, string> = {
  submissionsFrom: 'Submissions open',
  submissionsUntil: 'Submissions close',
  finalistsOn: 'Finalists named',
  votingFrom: 'Voting opens',
  votingUntil: 'Voting closes',
  winnerOn: 'Winner announced',
  closedOn: 'Closed',
}

export const timelineOf = (days: Days) => DAYS.map((day) => ({ label: LABELS[day], date: days[day] }))
