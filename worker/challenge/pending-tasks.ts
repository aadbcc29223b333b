import { sql } from 'drizzle-orm'
import type { PendingTask } from '../contract/pending-tasks'
import type { PendingTaskSource } from '../db/pending-tasks'
import { DAY_MS, type Millis, toIso } from '../lib/clock'
import { MIN_FINALISTS, stateOf } from './challenge-state'

/** Steps are listed this long before they are due. */
const STEP_LEAD_TIME_MS: Millis = 14 * DAY_MS

type Row = {
  id: string
  title: string
  submissionsOpenAt: Millis
  submissionsCloseAt: Millis
  finalistsAt: Millis
  votingOpensAt: Millis
  votingClosesAt: Millis
  publishAt: Millis
  sealedAt: Millis | null
  ballotsSha256: string | null
  opensByHand: number
  finalistCount: number
  openFlags: number
}

type ChallengeTask = {
  text: string
  action: string
  /** Page of the step, relative to the challenge's page. */
  page?: 'listen' | 'finalists'
  dueAt: Millis
  needsTeam: boolean
}

function flagsText(openFlags: number): string {
  if (openFlags === 0) return ''
  return openFlags === 1 ? ' One ballot is flagged.' : ` ${openFlags} ballots are flagged.`
}

/** The next step, which the team takes or which happens automatically; null if there is none. */
function nextStep(row: Row, at: Millis): ChallengeTask | null {
  const flags = flagsText(row.openFlags)
  switch (stateOf({ ...row, opensByHand: row.opensByHand === 1 }, at)) {
    case 'announced':
      return {
        text: 'Submissions open automatically.',
        action: 'Check the dates',
        dueAt: row.submissionsOpenAt,
        needsTeam: false,
      }
    case 'submissions':
      return {
        text: 'Verses are coming in. Submissions close automatically.',
        action: 'Listen to the verses',
        page: 'listen',
        dueAt: row.submissionsCloseAt,
        needsTeam: false,
      }
    case 'finalists':
      if (at >= row.votingClosesAt)
        return {
          text: 'The voting days have passed without a vote. Choose new ones.',
          action: 'Change the dates',
          dueAt: row.votingClosesAt,
          needsTeam: true,
        }
      if (row.finalistCount < MIN_FINALISTS)
        return {
          text: 'Name the finalists, so that voting can open.',
          action: 'Name the finalists',
          page: 'listen',
          dueAt: row.votingOpensAt,
          needsTeam: true,
        }
      return at >= row.votingOpensAt
        ? {
            text: 'The finalists are named. Open the voting.',
            action: 'Open the voting',
            dueAt: row.votingOpensAt,
            needsTeam: true,
          }
        : {
            text: 'The finalists are named. Voting opens automatically.',
            action: 'Check the finalists',
            page: 'finalists',
            dueAt: row.votingOpensAt,
            needsTeam: false,
          }
    case 'voting':
      return {
        text: `Voting closes automatically.${flags}`,
        action: 'Review the ballots',
        dueAt: row.votingClosesAt,
        needsTeam: row.openFlags > 0,
      }
    case 'closed':
      return row.ballotsSha256 === null
        ? {
            text: `Voting has closed. Review the ballots and count them.${flags}`,
            action: 'Count the votes',
            dueAt: row.publishAt,
            needsTeam: true,
          }
        : {
            text: 'The votes are counted. The winner is announced automatically.',
            action: 'See the result',
            dueAt: row.publishAt,
            needsTeam: false,
          }
    default:
      return null
  }
}

function toTask(row: Row, at: Millis): Omit<PendingTask, 'screen'> | null {
  const step = nextStep(row, at)
  if (!step || step.dueAt - at > STEP_LEAD_TIME_MS) return null
  return {
    id: `challenge.${row.id}`,
    count: 1,
    title: row.title,
    text: step.text,
    href: `/admin/challenge/${encodeURIComponent(row.id)}${step.page ? `/${step.page}` : ''}`,
    action: step.action,
    dueAt: toIso(step.dueAt),
    isUrgent: step.needsTeam && step.dueAt <= at,
  }
}

/** The next step of each challenge that is not finished. */
export const challengeSteps: PendingTaskSource<Row> = {
  screen: 'challenge',
  query: (
    at,
  ) => sql`SELECT id, title, submissions_open_at AS submissionsOpenAt, submissions_close_at AS submissionsCloseAt,
      finalists_at AS finalistsAt, voting_opens_at AS votingOpensAt, voting_closes_at AS votingClosesAt,
      publish_at AS publishAt, sealed_at AS sealedAt, ballots_sha256 AS ballotsSha256, opens_by_hand AS opensByHand,
      (SELECT count(*) FROM challenge_finalists WHERE challenge_id = challenges.id) AS finalistCount,
      (SELECT count(*) FROM ballot_flags WHERE challenge_id = challenges.id AND decided_at IS NULL) AS openFlags
    FROM challenges WHERE removed_at IS NULL AND (publish_at > ${at} OR ballots_sha256 IS NULL) ORDER BY publish_at`,
  toTasks: (rows, at) => rows.flatMap((row) => toTask(row, at) ?? []),
}
