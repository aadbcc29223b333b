import type { ChallengeState, PublicChallenge } from '../../worker/contract/challenge'
import { formatLongZonedDateTime } from '../lib/format'

export const PHASE_LABELS: Readonly<Record<ChallengeState, string>> = {
  announced: 'Announced',
  submissions: 'Verses wanted',
  finalists: 'Listening',
  voting: 'Voting is open',
  closed: 'Counting',
  published: 'Decided',
}

const dateRange = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' })

/** The range between two dates (YYYY-MM-DD): 'July 2 – 16, 2025', or 'July 2, 2025' if they are equal. */
export const formatDateRange = (from: string, until: string) =>
  dateRange.formatRange(Date.parse(from), Date.parse(until))

/** One minute before a timestamp, because '11:59 PM' is clearer than midnight. */
export const lastMinute = (timestamp: string) => new Date(Date.parse(timestamp) - 60_000).toISOString()

const TIME_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/**
 * A time rounded down, in the largest unit of which at least two are left: '3 days', '90 minutes'. Below two minutes
 * '1 minute' or 'less than a minute'.
 */
export function formatTimeLeft(leftMs: number): string {
  for (const [unit, unitMs] of TIME_UNITS) {
    const count = Math.floor(leftMs / unitMs)
    if (count >= 2 || (count === 1 && unit === 'minute')) return `${count} ${unit}${count === 1 ? '' : 's'}`
  }
  return 'less than a minute'
}

/** `countdown` is null if no deadline lies ahead; `at` is ISO 8601. */
type StatusText = { text: string; countdown: { label: string; at: string } | null }

/** Describes the phase and what comes next. */
export function statusText(challenge: PublicChallenge, now: number): StatusText {
  const { state, timeZone: zone, seal } = challenge
  const formatTimestamp = (timestamp: string) => formatLongZonedDateTime(timestamp, zone)
  const formatDeadline = (timestamp: string) => formatTimestamp(lastMinute(timestamp))
  const countdownTo = (label: string, at: string) => (Date.parse(at) > now ? { label, at } : null)
  switch (state) {
    case 'announced':
      return {
        text: `Submissions open on ${formatTimestamp(challenge.submissionsOpenAt)}.`,
        countdown: countdownTo('until it opens', challenge.submissionsOpenAt),
      }
    case 'submissions':
      return {
        text: `Send yours by ${formatDeadline(challenge.submissionsCloseAt)}.`,
        countdown: countdownTo('left to send a verse', challenge.submissionsCloseAt),
      }
    case 'finalists':
      return finalistsStatusText(challenge, now)
    case 'voting':
      return {
        text: `Every supporter has one vote, until ${formatDeadline(challenge.votingClosesAt)}.`,
        countdown: countdownTo('left to vote', challenge.votingClosesAt),
      }
    case 'closed':
      return {
        text: seal
          ? `Voting results are sealed. The winner is announced by ${formatDeadline(challenge.publishedAt)}.`
          : `Voting is over, and we are reviewing the votes. The winner is announced by ${formatDeadline(challenge.publishedAt)}.`,
        countdown: countdownTo('until the winner is announced', challenge.publishedAt),
      }
    case 'published':
      return { text: resultText(challenge), countdown: null }
  }
}

function resultText({ finalists, results }: PublicChallenge): string {
  if (!results?.counted) return 'No votes were counted, so there is no winner.'
  const winners = results.finalists.filter(({ votes }) => votes === results.finalists[0]?.votes).length
  return `${finalists.length} finalists, ${winners === 1 ? 'one winner' : `${winners} winners with equal votes`}.`
}

function finalistsStatusText(challenge: PublicChallenge, now: number): StatusText {
  const { timeZone: zone, finalists, finalistsAt, votingOpensAt } = challenge
  if (finalists.length > 1 && Date.parse(votingOpensAt) > now)
    return {
      text: `The finalists are announced. Voting opens on ${formatLongZonedDateTime(votingOpensAt, zone)}.`,
      countdown: { label: 'until voting opens', at: votingOpensAt },
    }
  if (Date.parse(finalistsAt) > now)
    return {
      text: `We are listening to every verse. The finalists are announced on ${formatLongZonedDateTime(finalistsAt, zone)}.`,
      countdown: { label: 'until the finalists are announced', at: finalistsAt },
    }
  // The date of voting has passed, but the team must open it (`opensByHand`).
  if (finalists.length > 1)
    return {
      text: 'We are choosing the finalists. Voting opens as soon as we have announced them all.',
      countdown: null,
    }
  return { text: 'We are listening to every verse. Voting opens when the finalists are announced.', countdown: null }
}

/** Number of past timeline entries. It depends on the phase; the last entry, the prize, is past from its date on. */
export function countPassedTimelineEntries(
  { state, timeline, finalists, timeZone }: PublicChallenge,
  now: number,
): number {
  const passed: Record<ChallengeState, number> = {
    announced: 0,
    submissions: 1,
    finalists: finalists.length > 0 ? 3 : 2,
    voting: 4,
    closed: 5,
    published: 6,
  }
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now)
  const prizeDay = timeline.at(-1)?.date
  const isPrizeDayReached = state === 'published' && prizeDay !== undefined && prizeDay <= today
  return isPrizeDayReached ? timeline.length : passed[state]
}
