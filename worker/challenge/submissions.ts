import { eq, sql } from 'drizzle-orm'
import { recordAuditIfChanged, writeAudit } from '../audit/audit'
import type { VerseSubmission } from '../contract/admin-challenge'
import { type Db, prepare } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { type SubmissionRow, submissionColumns, toMaskedSubmission, toSubmission } from './admin-list'
import { verseSubmissions } from './challenge.table'

/** One submission unmasked, after an audit entry. @throws AppError `not_found`. */
export async function revealSubmission(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<VerseSubmission> {
  const row = await db.get<SubmissionRow>(
    sql`SELECT ${submissionColumns(actorId)} FROM verse_submissions WHERE verse_submissions.id = ${id}`,
  )
  if (!row) throw submissionNotFoundError()
  await writeAudit(db, { actorId, action: 'submission.revealed', subject: `submission:${id}`, at })
  return toSubmission(row)
}

type NewRating = Actor & { id: string; rating: number | null }

/** Stores, replaces or, for null, deletes a team member's rating of a verse. @throws AppError `not_found`. */
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
  if (!row) throw submissionNotFoundError()
  return toMaskedSubmission(row)
}

/** The R2 key of a verse's recording. @throws AppError `not_found`. */
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

/** @throws AppError `not_found`. */
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
  if (!updated?.results.length) throw submissionNotFoundError()
}

const submissionNotFoundError = () => new AppError('not_found', 'That submission does not exist.')
