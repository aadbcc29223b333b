import { recordAuditIfChanged } from '../audit/audit'
import type { FinalistDraft, FinalistsDraft } from '../contract/admin-challenge'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import {
  type ChallengeRow,
  FINALISTS_PUBLIC_AT,
  isAtLeast,
  PHASE_VERSION_SQL,
  phaseVersion,
  requireChallenge,
  stateOf,
} from './challenge-state'

/** ?1 challenge, ?2 its phase version, ?3 verse ids: the challenge is unchanged and every verse still exists. */
const UNCHANGED = `EXISTS (SELECT 1 FROM challenges WHERE id = ?1 AND removed_at IS NULL AND ${PHASE_VERSION_SQL} = ?2)
  AND (SELECT count(*) FROM verse_submissions WHERE challenge_id = ?1 AND email <> 'deleted'
    AND id IN (SELECT value FROM json_each(?3))) = json_array_length(?3)`
/** ?4 the finalists the caller saw: a concurrent change wins. */
const CLEAR_SQL = `DELETE FROM challenge_finalists WHERE challenge_id = ?1 AND ${UNCHANGED} AND ?4 = (
  SELECT json_group_array(id) FROM (SELECT id FROM challenge_finalists WHERE challenge_id = ?1 ORDER BY position)) RETURNING id`
/** ?5 the new finalists. Runs right after CLEAR_SQL. */
const INSERT_SQL = `INSERT INTO challenge_finalists (id, challenge_id, name, position, submission_id)
  SELECT value ->> 'id', ?1, value ->> 'name', key + 1, value ->> 'submissionId' FROM json_each(?5)
  WHERE ${UNCHANGED} AND (?4 = '[]' OR changes() > 0)
    AND NOT EXISTS (SELECT 1 FROM challenge_finalists WHERE challenge_id = ?1) RETURNING id`
/** ?1 challenge, ?2 now. Last in the batch: naming a second finalist late must not open voting. */
const HOLD_VOTING_SQL = `UPDATE challenges SET opens_by_hand = 1 WHERE changes() > 0 AND id = ?1 AND voting_opens_at <= ?2`

type FinalistsInput = { id: string; actorId: number; at: Millis } & FinalistsDraft

/**
 * Replaces the finalists of a challenge. Of two concurrent calls with the same `was`, the second fails. @throws
 * AppError 'not_found' also for a verse of another challenge, 'conflict' once voting has begun or its period is over,
 * or if the list is no longer `was`.
 */
export async function setFinalists(db: Db, input: FinalistsInput): Promise<void> {
  const { id, finalists, was, actorId, at } = input
  const row = await requireEditableFinalists(db, input)
  if (finalists.length === 0 && was.length === 0) return
  const verses = JSON.stringify(finalists.flatMap(({ submissionId }) => submissionId ?? []))
  const binds = [id, phaseVersion(row), verses, JSON.stringify(was)]
  const named = finalists.map((finalist) => ({ id: newId('finalist'), ...finalist }))
  const results = await db.$client
    .batch([
      db.$client.prepare(CLEAR_SQL).bind(...binds),
      ...(named.length > 0 ? [db.$client.prepare(INSERT_SQL).bind(...binds, JSON.stringify(named))] : []),
      recordAuditIfChanged(db.$client, {
        actorId,
        action: 'challenge.finalists_named',
        subject: `challenge:${id}`,
        detail: auditDetail(finalists),
        at,
      }),
      db.$client.prepare(HOLD_VOTING_SQL).bind(id, at),
    ])
    .catch((error: unknown) => {
      // A concurrent vote references a finalist and aborts the batch.
      if (error instanceof Error && error.message.includes('FOREIGN KEY')) return []
      throw error
    })
  if (!results.some(({ results: rows }) => rows.length > 0)) throw await conflictError(db, input)
}

/** Names verses by id, which survives erasure; names only finalists without a verse. */
function auditDetail(finalists: readonly FinalistDraft[]) {
  const verses = finalists.flatMap(({ submissionId }) => submissionId ?? [])
  const names = finalists.flatMap(({ name, submissionId }) => (submissionId === null ? [name] : []))
  return {
    finalists: finalists.length,
    ...(verses.length > 0 && { verses: verses.join(', ') }),
    ...(names.length > 0 && { names: names.join(', ') }),
  }
}

async function requireEditableFinalists(db: Db, { id, at }: FinalistsInput): Promise<ChallengeRow> {
  const row = await requireChallenge(db, id)
  if (isAtLeast(stateOf(row, at), 'voting'))
    throw new AppError('conflict', 'Voting has begun: the finalists and their order stay as they are.')
  if (at >= row.votingClosesAt)
    throw new AppError('conflict', 'The days for voting are over. Please choose new ones, then name the finalists.')
  return row
}

async function conflictError(db: Db, input: FinalistsInput): Promise<AppError> {
  await requireEditableFinalists(db, input)
  const [verses, finalists] = await db.$client.batch<{ id: string; name: string }>([
    db.$client
      .prepare("SELECT id FROM verse_submissions WHERE challenge_id = ?1 AND email <> 'deleted'")
      .bind(input.id),
    db.$client
      .prepare('SELECT id, name FROM challenge_finalists WHERE challenge_id = ?1 ORDER BY position')
      .bind(input.id),
  ])
  const existing = new Set(verses?.results.map(({ id }) => id))
  const missing = input.finalists.find(({ submissionId }) => submissionId !== null && !existing.has(submissionId))
  if (missing) return new AppError('not_found', `The verse of ${missing.name} is not in this challenge any more.`)
  const now = finalists?.results.map(({ name }) => name) ?? []
  return new AppError(
    'conflict',
    now.length === 0
      ? 'Meanwhile every finalist was taken off the list. Please look again.'
      : `Meanwhile the list was changed: ${new Intl.ListFormat('en').format(now)}. Please look again.`,
  )
}

/** The R2 key of a public finalist's recording. @throws AppError 'not_found'. */
export async function getFinalistAudioKey(db: Db, { id, at }: { id: string; at: Millis }): Promise<string> {
  const row = await db.$client
    .prepare(
      `SELECT v.audio_key AS audioKey FROM challenge_finalists f JOIN challenges c ON c.id = f.challenge_id
       JOIN verse_submissions v ON v.id = f.submission_id
       WHERE f.id = ?1 AND ${FINALISTS_PUBLIC_AT} <= ?2 AND v.audio_key IS NOT NULL`,
    )
    .bind(id, at)
    .first<{ audioKey: string }>()
  if (!row) throw new AppError('not_found', 'There is no recording of a finalist here.')
  return row.audioKey
}
