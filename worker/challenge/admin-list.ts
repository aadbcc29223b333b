import { type SQL, sql } from 'drizzle-orm'
import type {
  FlaggedBallot,
  FlagKind,
  RATING_STATES,
  SUBMISSION_STATES,
  VerseSubmission,
} from '../contract/admin-challenge'
import type { Db } from '../db/client'
import { conditionFilter, type ListDefinition, type ListQuery, matchesSearch, readList } from '../db/list'
import type { Page } from '../db/pagination'
import { type Millis, toIso } from '../lib/clock'
import { maskEmail, maskPhone } from '../lib/email'
import { BURST_WINDOW_MS } from './ballot-flags'
import { requireChallenge } from './challenge-state'

export type SubmissionRow = Omit<
  VerseSubmission,
  'submittedAt' | 'hasRecording' | 'isFinalist' | 'isConfirmed' | 'shortlisted' | 'ratings' | 'averageRating'
> & {
  at: Millis
  hasRecording: number
  isFinalist: number
  isConfirmed: number
  shortlisted: number
  /** JSON array of `{ by, rating }`. */
  ratings: string
}

const IS_FINALIST = sql`EXISTS (SELECT 1 FROM challenge_finalists WHERE submission_id = verse_submissions.id)`
const isRatedBy = (userId: number) =>
  sql`EXISTS (SELECT 1 FROM verse_ratings WHERE submission_id = verse_submissions.id AND user_id = ${userId})`

/** Columns of a submission; `userId` is the team member who reads it, for `myRating`. */
export const submissionColumns = (userId: number) => sql`verse_submissions.id, name, email, phone_number AS phoneNumber,
  submitted_at AS at, challenge_id AS challengeId, audio_key IS NOT NULL AS hasRecording,
  confirmed_at IS NOT NULL AS isConfirmed, shortlisted, note, ${IS_FINALIST} AS isFinalist,
  (SELECT rating FROM verse_ratings WHERE submission_id = verse_submissions.id AND user_id = ${userId}) AS myRating,
  (SELECT json_group_array(json_object('by', r.username, 'rating', r.rating)) FROM (
    SELECT username, rating FROM verse_ratings JOIN users ON users.id = user_id
    WHERE submission_id = verse_submissions.id ORDER BY rated_at, user_id) r) AS ratings`

export const submissionList = (userId: number): ListDefinition<SubmissionRow, VerseSubmission> => ({
  select: submissionColumns(userId),
  from: sql`verse_submissions`,
  id: sql`verse_submissions.id`,
  sorts: {
    submitted: sql`submitted_at`,
    name: sql`lower(name)`,
    rating: sql`coalesce((SELECT avg(rating) FROM verse_ratings WHERE submission_id = verse_submissions.id), 0)`,
  },
  defaultSort: '-submitted',
  filters: {
    state: conditionFilter({
      finalist: IS_FINALIST,
      shortlist: sql`shortlisted`,
      unconfirmed: sql`confirmed_at IS NULL`,
    } satisfies Record<(typeof SUBMISSION_STATES)[number], SQL>),
    rated: conditionFilter({
      'not-by-me': sql`NOT ${isRatedBy(userId)}`,
      'by-no-one': sql`NOT EXISTS (SELECT 1 FROM verse_ratings WHERE submission_id = verse_submissions.id)`,
    } satisfies Record<(typeof RATING_STATES)[number], SQL>),
  },
  search: (q) => ({ where: matchesSearch({ texts: [sql`name`], emails: [sql`lower(email)`] }, q) }),
  toItem: toMaskedSubmission,
})

type SubmissionQuery = ListQuery & { userId: number; challengeId?: string }

/** Masked submissions, newest first; a search finds part of a name or a whole address. @throws AppError `bad_input`. */
export const listSubmissions = (
  db: Db,
  { userId, challengeId, ...query }: SubmissionQuery,
): Promise<Page<VerseSubmission>> =>
  readList(
    db,
    submissionList(userId),
    query,
    challengeId === undefined ? undefined : sql`challenge_id = ${challengeId}`,
  )

/** The challenge's masked verses, except anonymized ones, by time; those not rated by the team member come first. */
export async function listListeningQueue(
  db: Db,
  { challengeId, userId }: { challengeId: string; userId: number },
): Promise<VerseSubmission[]> {
  const rows = await db.all<SubmissionRow>(sql`SELECT ${submissionColumns(userId)} FROM verse_submissions
    WHERE challenge_id = ${challengeId} AND email <> 'deleted'
    ORDER BY ${isRatedBy(userId)}, submitted_at, id`)
  return rows.map(toMaskedSubmission)
}

export function toSubmission({
  at,
  hasRecording,
  isFinalist,
  isConfirmed,
  shortlisted,
  ratings: ratingsJson,
  ...row
}: SubmissionRow): VerseSubmission {
  const ratings: VerseSubmission['ratings'] = JSON.parse(ratingsJson)
  const sum = ratings.reduce((total, { rating }) => total + rating, 0)
  return {
    ...row,
    submittedAt: toIso(at),
    hasRecording: hasRecording === 1,
    isFinalist: isFinalist === 1,
    isConfirmed: isConfirmed === 1,
    shortlisted: shortlisted === 1,
    ratings,
    averageRating: ratings.length === 0 ? null : Math.round((sum / ratings.length) * 10) / 10,
  }
}

export function toMaskedSubmission(row: SubmissionRow): VerseSubmission {
  return toSubmission({ ...row, email: maskEmail(row.email), phoneNumber: maskPhone(row.phoneNumber) })
}

type FlaggedBallotRow = {
  ballot: number
  castAt: Millis
  isBurst: number
  isSharedDevice: number
  isNewAccount: number
  sameNetwork: number
  sameDevice: number
  decision: 'kept' | 'excluded' | null
  reason: string
  decidedBy: string | null
  decidedAt: Millis | null
}

/** Flagged ballots, undecided first, then newest first. */
export const flaggedBallotList: ListDefinition<FlaggedBallotRow, FlaggedBallot> = {
  select: sql`f.ballot_id AS ballot, b.cast_at AS castAt, f.is_burst AS isBurst, f.is_shared_device AS isSharedDevice,
    f.is_new_account AS isNewAccount, f.decision, f.reason, f.decided_at AS decidedAt, users.username AS decidedBy,
    (SELECT count(*) FROM ballot_marks o WHERE o.challenge_id = f.challenge_id AND o.network = m.network
      AND o.ballot_id <> m.ballot_id
      AND o.cast_at BETWEEN m.cast_at - ${BURST_WINDOW_MS} AND m.cast_at + ${BURST_WINDOW_MS}) AS sameNetwork,
    (SELECT count(*) FROM ballot_marks o WHERE o.challenge_id = f.challenge_id AND o.device = m.device
      AND o.ballot_id <> m.ballot_id) AS sameDevice`,
  from: sql`ballot_flags f JOIN challenge_ballots b ON b.id = f.ballot_id
    LEFT JOIN ballot_marks m ON m.ballot_id = f.ballot_id LEFT JOIN users ON users.id = f.decided_by`,
  id: sql`f.ballot_id`,
  // The large number sorts undecided ballots before all others.
  sorts: { queue: sql`(f.decided_at IS NULL) * 1000000000000000 + f.ballot_id`, cast: sql`b.cast_at` },
  defaultSort: '-queue',
  filters: {
    state: conditionFilter({
      open: sql`f.decided_at IS NULL`,
      counted: sql`f.decision = 'kept'`,
      excluded: sql`f.decision = 'excluded'`,
    }),
    kind: conditionFilter({
      burst: sql`f.is_burst = 1`,
      shared_device: sql`f.is_shared_device = 1`,
      new_account: sql`f.is_new_account = 1`,
    }),
  },
  toItem: toFlaggedBallot,
}

/** A page of a challenge's flagged ballots. @throws AppError `not_found`; `bad_input` as `readList`. */
export async function listFlaggedBallots(db: Db, id: string, query: ListQuery): Promise<Page<FlaggedBallot>> {
  await requireChallenge(db, id)
  return readList(db, flaggedBallotList, query, sql`f.challenge_id = ${id}`)
}

function toFlaggedBallot(row: FlaggedBallotRow): FlaggedBallot {
  const kinds: Record<FlagKind, number> = {
    burst: row.isBurst,
    shared_device: row.isSharedDevice,
    new_account: row.isNewAccount,
  }
  return {
    ballot: row.ballot,
    castAt: toIso(row.castAt),
    kinds: (Object.keys(kinds) as FlagKind[]).filter((kind) => kinds[kind]),
    sameNetwork: row.sameNetwork,
    sameDevice: row.sameDevice,
    decision:
      row.decision === null || row.decidedAt === null
        ? null
        : {
            keep: row.decision === 'kept',
            reason: row.reason,
            by: row.decidedBy,
            decidedAt: toIso(row.decidedAt),
          },
  }
}
