import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { type ChallengeState, hasReached } from '../../worker/contract/challenge'
import { formatCalendarDate } from '../lib/format'

/** Labels of the phases in the admin dashboard. */
export const ADMIN_PHASE_LABELS: Readonly<Record<ChallengeState, string>> = {
  announced: 'Announced',
  submissions: 'Verses',
  finalists: 'Finalists',
  voting: 'Voting',
  closed: 'Counting',
  published: 'Published',
}

const flaggedBallotsText = (count: number) => (count === 1 ? 'One flagged ballot' : `${count} flagged ballots`)

export const hasEnoughFinalists = ({ finalists }: AdminChallenge) => finalists.length >= 2

/** Whether finalists can be named, changed and removed. */
export const areFinalistsEditable = ({ state }: AdminChallenge) => !hasReached(state, 'voting')

/** Whether a new finalist is public immediately, because the announcement day has begun. */
export const arePicksPublic = ({ fixed }: AdminChallenge) => fixed.includes('finalistsOn')

export const PUBLIC_PICKS_WARNING =
  'Announcement day has come: each finalist you pick is public right away and gets an email within minutes, so pick when you are sure.'

/** Describes the next automatic change of a challenge, or what a manager must do first. */
export function describeScheduledChange(challenge: AdminChallenge): string {
  const { state, openFlags, seal } = challenge
  const winner = formatCalendarDate(challenge.winnerOn)
  switch (state) {
    case 'announced':
      return `Submissions open automatically on ${formatCalendarDate(challenge.submissionsFrom)}.`
    case 'submissions':
      return `Submissions close automatically at the end of ${formatCalendarDate(challenge.submissionsUntil)}.`
    case 'finalists':
      if (challenge.opensByHand)
        return `Voting day is here. Open voting once you have named every finalist, before the end of ${formatCalendarDate(challenge.votingUntil)}.`
      return hasEnoughFinalists(challenge)
        ? `Voting opens automatically on ${formatCalendarDate(challenge.votingFrom)}.`
        : `Voting opens on ${formatCalendarDate(challenge.votingFrom)}, once two finalists are named.`
    case 'voting':
      return `Voting closes automatically at the end of ${formatCalendarDate(challenge.votingUntil)}.`
    case 'closed':
      if (seal) return `The result is published automatically at the end of ${winner}.`
      return openFlags > 0
        ? `${flaggedBallotsText(openFlags)} ${openFlags === 1 ? 'needs' : 'need'} your decision. At the end of ${winner} the result is sealed, and ballots without a decision count.`
        : 'No flags are open. The result is sealed automatically within five minutes.'
    case 'published':
      return `Published in the hall of fame. The prize is awarded by ${formatCalendarDate(challenge.closedOn)}.`
  }
}

type NextPhaseAction = { kind: 'advance' | 'seal'; button: string; title: string; effects: string[]; toast: string }

/** The button that ends the current phase, with the texts of its confirmation; null after the last phase. */
export function nextPhaseAction(challenge: AdminChallenge): NextPhaseAction | null {
  const { state, finalists, openFlags, seal, votes } = challenge
  switch (state) {
    case 'announced':
      return {
        kind: 'advance',
        button: 'Open submissions now',
        title: 'Open submissions now?',
        effects: [
          'The form opens on the challenge page right away. After that, the prize, the rules and a beat that is set can’t change.',
        ],
        toast: 'Submissions are open',
      }
    case 'submissions':
      return {
        kind: 'advance',
        button: 'Close submissions',
        title: 'Close submissions?',
        effects: ['No one can enter a verse after this. Listen, name the finalists and open voting.'],
        toast: 'Submissions are closed',
      }
    case 'finalists':
      return {
        kind: 'advance',
        button: challenge.opensByHand ? 'Open voting now' : 'Open voting',
        title: challenge.opensByHand ? 'Open voting now?' : 'Open voting?',
        effects: [
          `${finalists.map(({ name }) => name).join(', ')}: they are public in this order, with their recordings${arePicksPublic(challenge) ? '' : ', right away'}. Names and order can’t change after this.`,
          `Every supporter with a confirmed email has one vote until the end of ${formatCalendarDate(challenge.votingUntil)}.`,
        ],
        toast: 'Voting is open',
      }
    case 'voting':
      return {
        kind: 'advance',
        button: 'Close voting',
        title: 'Close voting?',
        effects: [
          'No one can vote after this. Review the flagged ballots; then the result is sealed and counted.',
          'Until then no one sees who leads, not even you.',
        ],
        toast: 'Voting is closed',
      }
    case 'closed':
      return seal
        ? {
            kind: 'advance',
            button: 'Publish the result',
            title: 'Publish the result?',
            effects: ['The winner, all votes and the tally become public right away and appear in the hall of fame.'],
            toast: 'The result is public',
          }
        : {
            kind: 'seal',
            button: 'Seal the result',
            title: 'Seal the result?',
            effects: [
              `All ${votes} ballots stay as they are: no decisions are possible after this. Their fingerprint becomes public right away, and you see the count.`,
              ...(openFlags > 0
                ? [`${flaggedBallotsText(openFlags)} without a decision ${openFlags === 1 ? 'counts' : 'count'}.`]
                : []),
            ],
            toast: 'Voting results are sealed',
          }
    case 'published':
      return null
  }
}
