import { and, eq, ne, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import type { FinalistDraft, FinalistsDraft } from '../contract/admin-challenge'
import { hasReached } from '../contract/challenge'
import { type Db, prepare } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { challengeFinalists, verseSubmissions } from './challenge.table'
import {
  type ChallengeRow,
  concurrentChangeError,
  FINALISTS_PUBLIC_AT,
  isFinalistHiddenSql,
  isUnchanged,
  requireChallenge,
  stateOf,
} from './challenge-state'

type FinalistsInput = Actor & { id: string } & FinalistsDraft

/**
 * Replaces the finalists of a challenge. Optimistic locking: `was` has the ids of the list that the admin saw.
 * @throws AppError `not_found` also for a verse of another challenge, `conflict` once voting has begun or its period is
 * over, or if the list is no longer `was` or the challenge has just changed.
 */
export async function setFinalists(db: Db, input: FinalistsInput): Promise<void> {
  const { id, finalists, was, actorId, at } = input
  const challenge = await requireEditableFinalists(db, input)
  if (finalists.length === 0 && was.length === 0) return
  const submissionIdsJson = JSON.stringify(finalists.flatMap(({ submissionId }) => submissionId ?? []))
  const previousIdsJson = JSON.stringify(was)
  const finalistsJson = JSON.stringify(finalists.map((finalist) => ({ id: newId('finalist'), ...finalist })))
  // No concurrent change: the challenge is unchanged and every verse still exists.
  const isCurrent = sql`EXISTS (SELECT 1 FROM challenges WHERE id = ${id} AND removed_at IS NULL AND ${isUnchanged(challenge)})
    AND (SELECT count(*) FROM verse_submissions WHERE challenge_id = ${id} AND email <> 'deleted'
      AND id IN (SELECT value FROM json_each(${submissionIdsJson}))) = json_array_length(${submissionIdsJson})`
  const removePrevious = sql`DELETE FROM challenge_finalists WHERE challenge_id = ${id} AND ${isCurrent} AND ${previousIdsJson} = (
    SELECT json_group_array(id) FROM (SELECT id FROM challenge_finalists WHERE challenge_id = ${id} ORDER BY position))
    RETURNING id`
  const insert = sql`INSERT INTO challenge_finalists (id, challenge_id, name, position, submission_id)
    SELECT value ->> 'id', ${id}, value ->> 'name', key + 1, value ->> 'submissionId' FROM json_each(${finalistsJson})
    WHERE ${isCurrent} AND (${previousIdsJson} = '[]' OR changes() > 0)
      AND NOT EXISTS (SELECT 1 FROM challenge_finalists WHERE challenge_id = ${id}) RETURNING id`
  // If the finalists are set after voting was due to open, voting does not open at once: an admin opens it.
  const requireManualOpening = sql`UPDATE challenges SET opens_by_hand = 1
    WHERE changes() > 0 AND id = ${id} AND voting_opens_at <= ${at}`
  // Raw SQL: each statement depends on the rows that the one before it changed.
  const results = await db.$client
    .batch([
      prepare(db, removePrevious),
      ...(finalists.length > 0 ? [prepare(db, insert)] : []),
      recordAuditIfChanged(db, {
        actorId,
        action: 'challenge.finalists_named',
        subject: `challenge:${id}`,
        detail: auditDetail(finalists),
        at,
      }),
      prepare(db, requireManualOpening),
    ])
    .catch((error: unknown) => {
      // A concurrent vote references a finalist and aborts the batch.
      if (error instanceof Error && error.message.includes('FOREIGN KEY')) return []
      throw error
    })
  if (!results.some(({ results: rows }) => rows.length > 0)) throw await rejectionError(db, input)
}

/** Ids of submissions, which do not identify an erased user, and names of finalists without a submission. */
function auditDetail(finalists: readonly FinalistDraft[]) {
  const submissionIds = finalists.flatMap(({ submissionId }) => submissionId ?? [])
  const names = finalists.flatMap(({ name, submissionId }) => (submissionId === null ? [name] : []))
  return {
    finalists: finalists.length,
    ...(submissionIds.length > 0 && { verses: submissionIds.join(', ') }),
    ...(names.length > 0 && { names: names.join(', ') }),
  }
}

async function requireEditableFinalists(db: Db, { id, at }: FinalistsInput): Promise<ChallengeRow> {
  const row = await requireChallenge(db, id)
  if (hasReached(stateOf(row, at), 'voting'))
    throw new AppError('conflict', 'Voting has begun, so the finalists and their order can no longer change.')
  if (at >= row.votingClosesAt)
    throw new AppError('conflict', 'The voting days have passed. Please choose new ones, then name the finalists.')
  return row
}

/** Why `setFinalists` changed nothing. @throws AppError as `setFinalists`. */
async function rejectionError(db: Db, input: FinalistsInput): Promise<AppError> {
  await requireEditableFinalists(db, input)
  const [verses, finalists] = await db.batch([
    db
      .select({ id: verseSubmissions.id })
      .from(verseSubmissions)
      .where(and(eq(verseSubmissions.challengeId, input.id), ne(verseSubmissions.email, 'deleted'))),
    db
      .select({ id: challengeFinalists.id, name: challengeFinalists.name })
      .from(challengeFinalists)
      .where(eq(challengeFinalists.challengeId, input.id))
      .orderBy(challengeFinalists.position),
  ])
  const existing = new Set(verses.map(({ id }) => id))
  const missing = input.finalists.find(({ submissionId }) => submissionId !== null && !existing.has(submissionId))
  if (missing) return new AppError('not_found', `The verse by ${missing.name} is no longer in this challenge.`)
  const isListUnchanged = JSON.stringify(finalists.map(({ id }) => id)) === JSON.stringify(input.was)
  if (isListUnchanged) return concurrentChangeError()
  const currentNames = finalists.map(({ name }) => name)
  return new AppError(
    'conflict',
    currentNames.length === 0
      ? 'Someone removed all finalists in the meantime. Please check again.'
      : `Someone changed the list in the meantime: ${new Intl.ListFormat('en').format(currentNames)}. Please check again.`,
  )
}

/** The R2 key of a public finalist's recording. @throws AppError `not_found`. */
export async function getFinalistAudioKey(db: Db, { id, at }: { id: string; at: Millis }): Promise<string> {
  const row = await db.$client
    .prepare(
      `SELECT v.audio_key AS audioKey FROM challenge_finalists f JOIN challenges c ON c.id = f.challenge_id
       JOIN verse_submissions v ON v.id = f.submission_id
       WHERE f.id = ?1 AND ${FINALISTS_PUBLIC_AT} <= ?2 AND v.audio_key IS NOT NULL
         AND NOT ${isFinalistHiddenSql('f')}`,
    )
    .bind(id, at)
    .first<{ audioKey: string }>()
  if (!row) throw new AppError('not_found', 'There is no recording of a finalist here.')
  return row.audioKey
}
