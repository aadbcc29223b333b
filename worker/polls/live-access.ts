import { requireActiveSession, type SessionStatusRow, withSessionStatus } from '../auth/require-session'
import { callerBinds, type SessionPayload } from '../auth/sessions'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { pollNotFound } from './polls'

const WATCH_PERMISSION = withSessionStatus(`
  EXISTS (SELECT 1 FROM polls WHERE id = ?4 AND hidden_at IS NULL) AS isPoll,
  EXISTS (SELECT 1 FROM poll_votes WHERE poll_id = ?4 AND user_id = ?1) AS hasVoted`)

/**
 * Lets those watch a poll's counts who have voted in it (ruling 22).
 * @throws AppError `not_found`, `forbidden` for who has not voted, `signed_out`.
 */
export async function requireWatchPermission(
  db: Db,
  { session, pollId }: { session: SessionPayload; pollId: string },
): Promise<void> {
  const row = await db.$client
    .prepare(WATCH_PERMISSION)
    .bind(...callerBinds(session), pollId)
    .first<SessionStatusRow & { isPoll: number; hasVoted: number }>()
  const { isPoll, hasVoted } = requireActiveSession(row ?? undefined, null)
  if (!isPoll) throw pollNotFound()
  if (!hasVoted) throw new AppError('forbidden', 'Vote first to watch the results.')
}
