import { explained, mustStand, type Stands } from '../auth/joined'
import { type Claim, callerBinds } from '../auth/sessions'
import type { Db } from '../db/client'
import { Refused } from '../lib/refused'
import { unknownPoll } from '../polls/polls'

const MAY = explained(`
  EXISTS (SELECT 1 FROM polls WHERE id = ?4 AND hidden_at IS NULL) AS isPoll,
  EXISTS (SELECT 1 FROM poll_votes WHERE poll_id = ?4 AND user_id = ?1) AS hasVoted`)

/**
 * Lets those watch a poll's counts who have voted in it (ruling 22).
 * @throws Refused `not_found`, `forbidden` for who has not voted, `signed_out`.
 */
export async function mayWatch(db: Db, { claim, pollId }: { claim: Claim; pollId: string }): Promise<void> {
  const row = await db.$client
    .prepare(MAY)
    .bind(...callerBinds(claim), pollId)
    .first<Stands & { isPoll: number; hasVoted: number }>()
  const { isPoll, hasVoted } = mustStand(row ?? undefined, null)
  if (!isPoll) throw unknownPoll()
  if (!hasVoted) throw new Refused('forbidden', 'Vote first to watch the results.')
}
