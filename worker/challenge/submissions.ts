import { eq, type SQL, sql } from 'drizzle-orm'
import { recordAuditIfChanged, writeAudit } from '../audit/audit'
import type { RATING_STATES, SUBMISSION_STATES, VerseSubmission } from '../contract/admin-challenge'
import { type Db, prepare } from '../db/client'
import { conditionFilter, containsText, type ListDefinition, type ListQuery, readList } from '../db/list'
import type { Page } from '../db/pagination'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { maskEmail, maskPhone } from '../lib/email'
import { verseSubmissions } from './challenge.table'

type SubmissionRow = Omit<
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

/** Columns of a submission as a team member sees it. */
const submissionColumns = (userId: number) => sql`verse_submissions.id, name, email, phone_number AS phoneNumber,
  submitted_at AS at, challenge_id AS challengeId, audio_key IS NOT NULL AS hasRecording,
  confirmed_at IS NOT NULL AS isConfirmed, shortlisted, note, ${IS_FINALIST} AS isFinalist,
  (SELECT rating FROM verse_ratings WHERE submission_id = verse_submissions.id AND user_id = ${userId}) AS myRating,
  (SELECT json_group_array(json_object('by', r.username, 'rating', r.rating)) FROM (
    SELECT username, rating FROM verse_ratings JOIN users ON users.id = user_id
    WHERE submission_id = verse_submissions.id ORDER BY rated_at, user_id) r) AS ratings`

const submissionList = (userId: number): ListDefinition<SubmissionRow, VerseSubmission> => ({
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
  search: (q) => ({ where: containsText([sql`name`, sql`email`], q) }),
  toItem: toMasked,
})

type SubmissionQuery = ListQuery & { userId: number; challengeId?: string }

/** Submissions, of one challenge or all, masked, newest first; a search finds names and addresses. @throws AppError 'bad_input'. */
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

/** The listening queue: all verses of a challenge, masked, unrated by the team member first, then by time. */
export async function listListeningQueue(
  db: Db,
  { challengeId, userId }: { challengeId: string; userId: number },
): Promise<VerseSubmission[]> {
  const rows = await db.all<SubmissionRow>(sql`SELECT ${submissionColumns(userId)} FROM verse_submissions
    WHERE challenge_id = ${challengeId} AND email <> 'deleted'
    ORDER BY ${isRatedBy(userId)}, submitted_at, id`)
  return rows.map(toMasked)
}

/** One submission unmasked; the reveal is audited first. @throws AppError 'not_found'. */
export async function revealSubmission(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<VerseSubmission> {
  const row = await db.get<SubmissionRow>(
    sql`SELECT ${submissionColumns(actorId)} FROM verse_submissions WHERE verse_submissions.id = ${id}`,
  )
  if (!row) throw submissionNotFound()
  await writeAudit(db, { actorId, action: 'submission.revealed', subject: `submission:${id}`, at })
  return toSubmission(row)
}

type NewRating = Actor & { id: string; rating: number | null }

/** Stores a team member's rating of a verse. Each member has one per verse. @throws AppError 'not_found'. */
export async function rateVerse(db: Db, { id, rating, actorId, at }: NewRating): Promise<VerseSubmission> {
  const write =
    rating === null
      ? sql`DELETE FROM verse_ratings WHERE submission_id = ${id} AND user_id = ${actorId}`
      : sql`INSERT INTO verse_ratings (submission_id, user_id, rating, rated_at)
          SELECT id, ${actorId}, ${rating}, ${at} FROM verse_submissions WHERE id = ${id} AND email <> 'deleted'
          ON CONFLICT DO UPDATE SET rating = excluded.rating, rated_at = excluded.rated_at WHERE rating <> excluded.rating`
  const [, , verse] = await db.$client.batch<SubmissionRow>([
    prepare(db, write),
    recordAuditIfChanged(db, { actorId, action: 'submission.rated', subject: `submission:${id}`, at }),
    prepare(
      db,
      sql`SELECT ${submissionColumns(actorId)} FROM verse_submissions
        WHERE verse_submissions.id = ${id} AND email <> 'deleted'`,
    ),
  ])
  const [row] = verse?.results ?? []
  if (!row) throw submissionNotFound()
  return toMasked(row)
}

/** The R2 key of a verse's recording. @throws AppError 'not_found'. */
export async function getVerseAudioKey(db: Db, id: string): Promise<string> {
  const row = await db
    .select({ audioKey: verseSubmissions.audioKey })
    .from(verseSubmissions)
    .where(eq(verseSubmissions.id, id))
    .get()
  if (!row?.audioKey) throw new AppError('not_found', 'There is no recording of this verse.')
  return row.audioKey
}

type VerseUpdate = Actor & { id: string; shortlisted?: boolean | undefined; note?: string | undefined }

/** @throws AppError 'not_found'. */
export async function updateVerse(db: Db, { id, shortlisted, note, actorId, at }: VerseUpdate): Promise<void> {
  const [updated] = await db.$client.batch([
    db.$client
      .prepare(
        `UPDATE verse_submissions SET shortlisted = coalesce(?2, shortlisted), note = coalesce(?3, note)
         WHERE id = ?1 RETURNING id`,
      )
      .bind(id, shortlisted === undefined ? null : Number(shortlisted), note ?? null),
    recordAuditIfChanged(db, { actorId, action: 'submission.marked', subject: `submission:${id}`, at }),
  ])
  if (!updated?.results.length) throw submissionNotFound()
}

const submissionNotFound = () => new AppError('not_found', 'That submission does not exist.')

function toSubmission({
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

function toMasked(row: SubmissionRow): VerseSubmission {
  return toSubmission({ ...row, email: maskEmail(row.email), phoneNumber: maskPhone(row.phoneNumber) })
}
