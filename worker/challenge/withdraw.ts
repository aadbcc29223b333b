import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { deleteUploads } from '../uploads/cleanup'
import { FINALISTS_PUBLIC_AT, requireChallenge } from './challenge-state'
import { readVerseToken } from './confirm-verse'
import { BELONGS_TO_USER } from './my-challenge'

/**
 * Column values of an anonymized verse, which stays counted. Without audio_key the upload cleanup deletes the
 * recording.
 */
export const ANONYMIZED_VERSE = `name = 'Deleted', email = 'deleted', phone_number = '', user_id = NULL, mailbox_key = NULL,
  audio_key = NULL, note = ''`

/** ?1 verse, ?2 now. A finalist who is not public yet can still withdraw. */
const REMOVE_FINALIST_SQL = `DELETE FROM challenge_finalists WHERE submission_id = ?1 AND EXISTS (
  SELECT 1 FROM challenges c WHERE c.id = challenge_id AND c.sealed_at IS NULL AND ${FINALISTS_PUBLIC_AT} > ?2)`
/** ?1 verse. Runs after REMOVE_FINALIST_SQL, so a remaining finalist is public and cannot withdraw. */
const CAN_WITHDRAW = 'id = ?1 AND NOT EXISTS (SELECT 1 FROM challenge_finalists WHERE submission_id = ?1)'
/** ?1 verse, ?2 now. While submissions are open the row is deleted, so that another verse can be sent. */
const DELETE_VERSE_SQL = `DELETE FROM verse_submissions WHERE ${CAN_WITHDRAW}
  AND (SELECT submissions_close_at FROM challenges WHERE id = challenge_id) > ?2 RETURNING id`
/** ?1 verse. The receipt and the email to finalists contain the address and the stage name. */
const DELETE_EMAILS_SQL = `DELETE FROM outbox WHERE dedupe_key IN ('verse:' || ?1, 'finalist:' || ?1)
  AND EXISTS (SELECT 1 FROM verse_submissions WHERE ${CAN_WITHDRAW})`
const DELETE_RATINGS_SQL = `DELETE FROM verse_ratings WHERE submission_id = ?1
  AND EXISTS (SELECT 1 FROM verse_submissions WHERE ${CAN_WITHDRAW})`
const ANONYMIZE_VERSE_SQL = `UPDATE verse_submissions SET ${ANONYMIZED_VERSE} WHERE ${CAN_WITHDRAW} AND email <> 'deleted' RETURNING id`

/** Withdraws a verse by emailed token; idempotent. @throws AppError `bad_token`, `conflict` for a finalist. */
export async function withdrawByToken(
  { secret, ...deps }: Pick<Deps, 'db' | 'files' | 'secret'>,
  token: string,
  at: Millis,
): Promise<void> {
  await withdrawVerse(deps, await readVerseToken(secret, token), at)
}

/** Withdraws the user's own verse. @throws AppError `not_found`, `conflict`. */
export async function withdrawUserVerse(
  deps: Pick<Deps, 'db' | 'files'>,
  { challengeId, userId, at }: { challengeId: string; userId: number; at: Millis },
): Promise<void> {
  await requireChallenge(deps.db, challengeId)
  const verse = await deps.db.$client
    .prepare(`SELECT v.id FROM verse_submissions v WHERE ${BELONGS_TO_USER} ORDER BY v.user_id IS NULL LIMIT 1`)
    .bind(challengeId, userId)
    .first<{ id: string }>()
  if (!verse) throw new AppError('not_found', 'You have no verse in this challenge.')
  await withdrawVerse(deps, verse.id, at)
}

async function withdrawVerse({ db, files }: Pick<Deps, 'db' | 'files'>, id: string, at: Millis): Promise<void> {
  const [, verse, , , ...deletions] = await db.$client.batch<{ audioKey: string | null; isFinalist: number }>([
    db.$client.prepare(REMOVE_FINALIST_SQL).bind(id, at),
    db.$client
      .prepare(
        `SELECT audio_key AS audioKey, EXISTS (SELECT 1 FROM challenge_finalists WHERE submission_id = ?1) AS isFinalist
         FROM verse_submissions WHERE id = ?1`,
      )
      .bind(id),
    db.$client.prepare(DELETE_EMAILS_SQL).bind(id),
    db.$client.prepare(DELETE_RATINGS_SQL).bind(id),
    db.$client.prepare(DELETE_VERSE_SQL).bind(id, at),
    db.$client.prepare(ANONYMIZE_VERSE_SQL).bind(id),
  ])
  const [row] = verse?.results ?? []
  if (row?.isFinalist)
    throw new AppError('conflict', 'You are a finalist, and your verse is public. Please write to us to take it back.')
  // If this fails, the daily cleanup deletes the unreferenced recording.
  if (row?.audioKey && deletions.some(({ results }) => results.length > 0))
    await deleteUploads({ db, files }, [row.audioKey]).catch(() => undefined)
}
