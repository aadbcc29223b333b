import type { ChallengeState, CurrentChallenge } from '../../worker/contract/challenge-now'

/** A state in a few words. */
export const STATE_NAMES: Readonly<Record<ChallengeState, string>> = {
  announced: 'Announced',
  submissions: 'Verses wanted',
  finalists: 'Listening',
  voting: 'Voting is open',
  closed: 'Counting',
  published: 'Decided',
}

/** 'Thursday, July 16, 11:59 PM EDT': an instant (ISO 8601) where the artist is. */
export function atArtists(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
    .format(Date.parse(instant))
    .replace(' at ', ', ')
}

const range = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' })

/** 'July 2 – 16, 2025': from one day to another, both YYYY-MM-DD; 'July 2, 2025' where they are one. */
export const daysBetween = (from: string, until: string) => range.formatRange(Date.parse(from), Date.parse(until))

/** The last minute before an instant: what ends with a day ends at 11:59 PM of it, and nobody reads midnight right. */
export const lastMinute = (instant: string) => new Date(Date.parse(instant) - 60_000).toISOString()

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** '3 days', '14 hours', '5 minutes', 'less than a minute': whole ones, in the largest unit of which two fit. */
export function spanOf(millis: number): string {
  for (const [unit, length] of UNITS) {
    const whole = Math.floor(millis / length)
    if (whole >= 2 || (whole === 1 && unit === 'minute')) return `${whole} ${unit}${whole === 1 ? '' : 's'}`
  }
  return 'less than a minute'
}

/** What holds now, until when, and what comes. `goal` is what is counted down to; null where nothing is. */
export type Standing = { words: string; goal: { label: string; at: string } | null }

export function standingOf(challenge: CurrentChallenge, now: number): Standing {
  const { state, timeZone: zone, seal } = challenge
  const when = (instant: string) => atArtists(instant, zone)
  const until = (instant: string) => when(lastMinute(instant))
  const ahead = (label: string, at: string) => (Date.parse(at) > now ? { label, at } : null)
  switch (state) {
    case 'announced':
      return {
        words: `Verses are taken from ${when(challenge.submissionsOpenAt)}.`,
        goal: ahead('until it opens', challenge.submissionsOpenAt),
      }
    case 'submissions':
      return {
        words: `Send yours until ${until(challenge.submissionsCloseAt)}.`,
        goal: ahead('left to send a verse', challenge.submissionsCloseAt),
      }
    case 'finalists':
      return finalistsStanding(challenge, now)
    case 'voting':
      return {
        words: `Every supporter has one vote, until ${until(challenge.votingClosesAt)}.`,
        goal: ahead('left to vote', challenge.votingClosesAt),
      }
    case 'closed':
      return {
        words: seal
          ? `The votes are fixed. The winner is announced by ${until(challenge.publishedAt)}.`
          : `Voting is over, and the votes are looked through. The winner is announced by ${until(challenge.publishedAt)}.`,
        goal: ahead('until the winner is announced', challenge.publishedAt),
      }
    case 'published':
      return { words: outcomeOf(challenge), goal: null }
  }
}

function outcomeOf({ finalists, results }: CurrentChallenge): string {
  if (!results?.counted) return 'No vote was counted, so nobody has won.'
  const winners = results.finalists.filter(({ votes }) => votes === results.finalists[0]?.votes).length
  return `${finalists.length} finalists, ${winners === 1 ? 'one winner' : `${winners} winners with equal votes`}.`
}

function finalistsStanding(challenge: CurrentChallenge, now: number): Standing {
  const { timeZone: zone, finalists, finalistsAt, votingOpensAt } = challenge
  if (finalists.length > 1 && Date.parse(votingOpensAt) > now)
    return {
      words: `The finalists are named. Voting opens on ${atArtists(votingOpensAt, zone)}.`,
      goal: { label: 'until voting opens', at: votingOpensAt },
    }
  if (Date.parse(finalistsAt) > now)
    return {
      words: `Every verse is being listened to. The finalists are named on ${atArtists(finalistsAt, zone)}.`,
      goal: { label: 'until the finalists are named', at: finalistsAt },
    }
  if (finalists.length > 1)
    return { words: 'The finalists are being named. Voting opens as soon as all of them are.', goal: null }
  return { words: 'Every verse is being listened to. Voting opens when the finalists are named.', goal: null }
}

/** How many days of the timeline lie behind a challenge: its first ones, whatever their dates say. */
export function stagesPassed({ state, timeline, finalists, timeZone }: CurrentChallenge, now: number): number {
  const passed: Record<ChallengeState, number> = {
    announced: 0,
    submissions: 1,
    finalists: finalists.length > 0 ? 3 : 2,
    voting: 4,
    closed: 5,
    published: 6,
  }
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now)
  const isHandedOver = state === 'published' && (timeline.at(-1)?.date ?? '9') <= today
  return isHandedOver ? timeline.length : passed[state]
}
