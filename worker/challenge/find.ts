import type { TallySeal } from '../contract/challenge'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import type { Days, Timestamps } from './states'

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
