import { eq } from 'drizzle-orm'
import { recordAuditIfChanged, writeAudit } from '../audit/audit'
import type { VerseSubmission } from '../contract/admin-challenge'
import type { Db } from '../db/client'
import { paginate, parseCursor } from '../db/pagination'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { maskEmail, maskPhone } from '../lib/email'
import { limits } from '../limits'
import { verseSubmissions } from './challenge.table'

type SubmissionRow = Omit<
  VerseSubmission,
  'submittedAt' | 'hasRecording' | 'isFinalist' | 'isConfirmed' | 'shortlisted'
> & {
  at: Millis
  hasRecording: number
  isFinalist: number
  isConfirmed: number
  shortlisted: number
}
type Page = { submissions: VerseSubmission[]; next: string | null }
type SubmissionFilter = { q: string; cursor: string | null; challenge: string; shortlisted: boolean }

const SELECT_SUBMISSION = `SELECT id, name, email, phone_number AS phoneNumber, submitted_at AS at, challenge_id AS challengeId,
  audio_key IS NOT NULL AS hasRecording, confirmed_at IS NOT NULL AS isConfirmed, shortlisted, note,
  EXISTS (SELECT 1 FROM challenge_finalists WHERE submission_id = verse_submissions.id) AS isFinalist
  FROM verse_submissions`

/** `instr`, because D1 rejects LIKE patterns over 50 bytes, and names may contain `%` or `_`. */
const SUBMISSIONS_SQL = `${SELECT_SUBMISSION}
  WHERE (submitted_at, id) < (?1, ?2)
    AND (?3 = '' OR instr(lower(name), lower(?3)) OR instr(lower(email), lower(?3)) OR instr(name, ?3))
    AND (?4 = '' OR challenge_id = ?4) AND (NOT ?5 OR shortlisted)
  ORDER BY submitted_at DESC, id DESC LIMIT ${limits.adminPageSize + 1}`

/** Submissions, masked, newest first; `q` searches names and addresses. @throws AppError 'bad_input'. */
export async function listSubmissions(db: Db, { q, cursor, challenge, shortlisted }: SubmissionFilter): Promise<Page> {
  const { at, id } = parseCursor(cursor)
  const { results } = await db.$client
    .prepare(SUBMISSIONS_SQL)
    .bind(at, id, q, challenge, Number(shortlisted))
    .all<SubmissionRow>()
  const { rows, next } = paginate(results, limits.adminPageSize)
  return {
    submissions: rows.map((row) =>
      toSubmission({ ...row, email: maskEmail(row.email), phoneNumber: maskPhone(row.phoneNumber) }),
    ),
    next,
  }
}

/** One submission unmasked; the reveal is audited first. @throws AppError 'not_found'. */
export async function revealSubmission(
  db: Db,
  { id, actorId, at }: { id: string; actorId: number; at: Millis },
): Promise<VerseSubmission> {
  const row = await db.$client.prepare(`${SELECT_SUBMISSION} WHERE id = ?1`).bind(id).first<SubmissionRow>()
  if (!row) throw submissionNotFound()
  await writeAudit(db, { actorId, action: 'submission.revealed', subject: `submission:${id}`, at })
  return toSubmission(row)
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

type VerseUpdate = {
  id: string
  shortlisted?: boolean | undefined
  note?: string | undefined
  actorId: number
  at: Millis
}

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

const toSubmission = ({
  at,
  hasRecording,
  isFinalist,
  isConfirmed,
  shortlisted,
  ...row
}: SubmissionRow): VerseSubmission => ({
  ...row,
  submittedAt: new Date(at).toISOString(),
  hasRecording: hasRecording === 1,
  isFinalist: isFinalist === 1,
  isConfirmed: isConfirmed === 1,
  shortlisted: shortlisted === 1,
})
