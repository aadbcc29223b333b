import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import type { ChallengeState } from '../../worker/contract/challenge'
import { calendarDate } from '../lib/format'

/** The states in order, with their labels. */
export const STAGES: readonly { state: ChallengeState; label: string }[] = [
  { state: 'announced', label: 'Announced' },
  { state: 'submissions', label: 'Verses' },
  { state: 'finalists', label: 'Finalists' },
  { state: 'voting', label: 'Voting' },
  { state: 'closed', label: 'Counting' },
  { state: 'published', label: 'Published' },
]

const flaggedCount = (count: number) => (count === 1 ? 'One flagged ballot' : `${count} flagged ballots`)
export const hasEnoughFinalists = ({ finalists }: AdminChallenge) => finalists.length >= 2

/** Whether a newly named finalist is public immediately. */
export const arePicksPublic = ({ fixed }: AdminChallenge) => fixed.includes('finalistsOn')

export const PICKS_ARE_PUBLIC =
  'The finalists’ day has come: a pick is public at once and mailed within minutes, so pick when you are sure.'

/** Describes the next automatic change of a challenge. */
export function scheduledChange(challenge: AdminChallenge): string {
  const { state, openFlags, seal } = challenge
  const winner = calendarDate(challenge.winnerOn)
  switch (state) {
    case 'announced':
      return `Verses are taken from ${calendarDate(challenge.submissionsFrom)} on by themselves.`
    case 'submissions':
      return `The form closes by itself when ${calendarDate(challenge.submissionsUntil)} is over.`
    case 'finalists':
      if (challenge.opensByHand)
        return `The first day of voting has come: when everybody is named you open the vote, before ${calendarDate(challenge.votingUntil)} is over.`
      return hasEnoughFinalists(challenge)
        ? `Voting opens by itself on ${calendarDate(challenge.votingFrom)}.`
        : `Voting opens on ${calendarDate(challenge.votingFrom)}, once two finalists are named.`
    case 'voting':
      return `Voting closes by itself when ${calendarDate(challenge.votingUntil)} is over.`
    case 'closed':
      if (seal) return `The result is published by itself when ${winner} is over.`
      return openFlags > 0
        ? `${flaggedCount(openFlags)} ${openFlags === 1 ? 'waits' : 'wait'} for you. When ${winner} is over the votes are fixed as they are.`
        : 'No flag is open: the votes are fixed by themselves within five minutes.'
    case 'published':
      return `Published. Its place is the hall of fame. The prize is handed over by ${calendarDate(challenge.closedOn)}.`
  }
}

/** The button of the current stage with its confirmation text; null if none is left. */
type StageAction = { kind: 'advance' | 'finalize'; button: string; title: string; effects: string[]; toast: string }

export function nextStageAction(challenge: AdminChallenge): StageAction | null {
  const { state, finalists, openFlags, seal, votes } = challenge
  switch (state) {
    case 'announced':
      return {
        kind: 'advance',
        button: 'Take verses now',
        title: 'Take verses now?',
        effects: ['The form opens on the challenge’s page at once. From then on prize and rules stay as they are.'],
        toast: 'Verses are taken',
      }
    case 'submissions':
      return {
        kind: 'advance',
        button: 'Close submissions',
        title: 'Close submissions?',
        effects: ['Nobody can send a verse any more. You listen, name the finalists and open the vote.'],
        toast: 'Submissions are closed',
      }
    case 'finalists':
      return {
        kind: 'advance',
        button: challenge.opensByHand ? 'Open voting now' : 'Open voting',
        title: challenge.opensByHand ? 'Open voting now?' : 'Open voting?',
        effects: [
          `${finalists.map(({ name }) => name).join(', ')}: in this order, with their recordings, they are public${arePicksPublic(challenge) ? '' : ' at once'}. Their names and their order stay.`,
          `Every supporter with a confirmed address has one vote until ${calendarDate(challenge.votingUntil)} is over.`,
        ],
        toast: 'Voting is open',
      }
    case 'voting':
      return {
        kind: 'advance',
        button: 'Close voting',
        title: 'Close voting?',
        effects: [
          'No vote is taken any more. You look through what is flagged; then the votes are fixed and counted.',
          'Who leads is not told before that, to you neither.',
        ],
        toast: 'Voting is closed',
      }
    case 'closed':
      return seal
        ? {
            kind: 'advance',
            button: 'Publish the result',
            title: 'Publish the result?',
            effects: ['The winner, all votes and the tally are public at once, and the hall of fame shows them.'],
            toast: 'The result is public',
          }
        : {
            kind: 'finalize',
            button: 'Fix the votes',
            title: 'Fix the votes?',
            effects: [
              `All ${votes} ballots stay as they are: none is kept or left out after this. Their fingerprint is public at once, and you see the count.`,
              ...(openFlags > 0
                ? [`${flaggedCount(openFlags)} nobody has decided about ${openFlags === 1 ? 'counts' : 'count'}.`]
                : []),
            ],
            toast: 'The votes are fixed',
          }
    case 'published':
      return null
  }
}
