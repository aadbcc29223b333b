import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { formatCalendarDate, formatCount, formatCountOf } from '../lib/format'
import { arePicksPublic, describeScheduledChange, hasEnoughFinalists } from './challenge-admin-text'

/** The steps from dates to result, in order. */
export const CHALLENGE_STEPS = [
  { id: 'dates', label: 'Dates and rules' },
  { id: 'submissions', label: 'Submissions' },
  { id: 'listening', label: 'Listening' },
  { id: 'finalists', label: 'Finalists' },
  { id: 'voting', label: 'Voting' },
  { id: 'ballots', label: 'Check ballots' },
  { id: 'result', label: 'Result' },
] as const
export type ChallengeStepId = (typeof CHALLENGE_STEPS)[number]['id']

const indexOf = (step: ChallengeStepId) => CHALLENGE_STEPS.findIndex(({ id }) => id === step)

/** The step in progress; for a published challenge the last step. */
export function currentStep(challenge: AdminChallenge): ChallengeStepId {
  switch (challenge.state) {
    case 'announced':
      return 'dates'
    case 'submissions':
      return 'submissions'
    case 'finalists':
      return hasEnoughFinalists(challenge) ? 'finalists' : 'listening'
    case 'voting':
      return 'voting'
    case 'closed':
      return challenge.seal ? 'result' : 'ballots'
    case 'published':
      return 'result'
  }
}

/** Status of a step. The result of a published challenge counts as past. */
export function stepStatus(challenge: AdminChallenge, step: ChallengeStepId): 'past' | 'current' | 'future' {
  const distance = indexOf(step) - indexOf(currentStep(challenge))
  if (distance === 0) return challenge.state === 'published' ? 'past' : 'current'
  return distance < 0 ? 'past' : 'future'
}

type StepDescription = {
  /** What happens in a future step, or at the end of the current one. */
  what: string
  /** When it happens automatically. */
  when: string
}

/** Describes what ends the current step. `actions` is what a manager can do until then. */
export function describeCurrentStep(challenge: AdminChallenge): StepDescription & { actions: string } {
  const when = describeScheduledChange(challenge)
  switch (currentStep(challenge)) {
    case 'dates':
      return {
        what: 'Submissions open: the form appears on the challenge page.',
        when,
        actions: 'Change dates, prize, rules and beat. Prize, rules and beat are fixed once submissions open.',
      }
    case 'submissions':
      return {
        what: 'Submissions close, and no one can enter a verse anymore.',
        when,
        actions: 'Listen to the verses that are in, or close submissions early.',
      }
    case 'listening':
      return {
        what: 'Voting opens, once at least two finalists are named.',
        when: arePicksPublic(challenge)
          ? when
          : `Finalists appear on the challenge page on ${formatCalendarDate(challenge.finalistsOn)}. ${when}`,
        actions: 'Listen to the verses and pick your finalists.',
      }
    case 'finalists':
      return {
        what: 'Voting opens. After that, names and order of the finalists can’t change.',
        when,
        actions: 'Compare the finalists, change their names and order, or open voting.',
      }
    case 'voting':
      return {
        what: 'Voting closes, and no one can vote anymore.',
        when,
        actions: 'Follow the turnout and look at flagged ballots as they come in. No one sees who leads, not even you.',
      }
    case 'ballots':
      return {
        what: 'The result is sealed: ballots can’t change anymore, and they are counted.',
        when,
        actions:
          challenge.openFlags > 0
            ? 'Decide about the flagged ballots, then seal the result.'
            : 'You don’t have to do anything, but you can seal the result now.',
      }
    case 'result':
      return {
        what: 'Winner, votes and tally become public, and every finalist gets an email.',
        when,
        actions: 'Wait for the day, or publish the result now.',
      }
  }
}

/** What happens in a future step; the first step is never in the future. */
export function describeFutureStep(
  challenge: AdminChallenge,
  step: Exclude<ChallengeStepId, 'dates'>,
): StepDescription {
  const { submissionsFrom, submissionsUntil, finalistsOn, votingFrom, votingUntil, winnerOn } = challenge
  switch (step) {
    case 'submissions':
      return {
        what: 'People send in their verses on the challenge page.',
        when: `Automatically from ${formatCalendarDate(submissionsFrom)} to the end of ${formatCalendarDate(submissionsUntil)}.`,
      }
    case 'listening':
      return {
        what: 'The team listens and picks at least two finalists.',
        when: `You can start with the first verse. Voting needs two finalists by ${formatCalendarDate(votingFrom)}.`,
      }
    case 'finalists':
      return {
        what: 'The finalists become public, and each gets an email.',
        when: `Automatically on ${formatCalendarDate(finalistsOn)}. Anyone you pick after that is public right away.`,
      }
    case 'voting':
      return {
        what: 'Every supporter with a confirmed email has one vote.',
        when: `Automatically from ${formatCalendarDate(votingFrom)} to the end of ${formatCalendarDate(votingUntil)}, if two finalists are named by then.`,
      }
    case 'ballots':
      return {
        what: 'Unusual ballots are flagged. You count or exclude each with a reason, then the result is sealed.',
        when: `Within five minutes after voting closes if no flag is open, else at the end of ${formatCalendarDate(winnerOn)}.`,
      }
    case 'result':
      return {
        what: 'Winner, votes and tally become public, and every finalist gets an email.',
        when: `Automatically at the end of ${formatCalendarDate(winnerOn)}.`,
      }
  }
}

/** The result of a past step. */
export function describePastStep(challenge: AdminChallenge, step: ChallengeStepId): string {
  const { submissions, finalists, votes, excluded } = challenge
  switch (step) {
    case 'dates':
      return 'Submissions have opened, so the prize, the rules and a beat that is set can’t change anymore. Dates that have passed can’t change either.'
    case 'submissions':
      return `${formatCountOf(submissions, 'verse')} came in by ${formatCalendarDate(challenge.submissionsUntil)}.`
    case 'listening':
      return `${formatCountOf(finalists.length, 'finalist')} picked from ${formatCountOf(submissions, 'verse')}.`
    case 'finalists':
      return `${new Intl.ListFormat('en').format(finalists.map(({ name }) => name))} went into the vote.`
    case 'voting':
      return `${formatCountOf(votes, 'ballot')} came in by ${formatCalendarDate(challenge.votingUntil)}.`
    case 'ballots':
      return `${formatCountOf(votes - excluded, 'ballot')} counted, ${formatCount(excluded)} excluded. The result is sealed.`
    case 'result':
      // Past only once published; the text then says when the prize is awarded.
      return describeScheduledChange(challenge)
  }
}
