import { sql } from 'drizzle-orm'
import { recordAuditWithCount } from '../audit/audit'
import { type Db, prepare } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { unknownUserError } from '../users/admin-list'

/** SQL condition on `poll_votes`: the user's vote in a poll that is still open. */
const isOpenPollVoteOf = (userId: number, at: Millis) =>
  sql`user_id = ${userId} AND poll_id IN (SELECT id FROM polls WHERE ends_at > ${at})`

/**
 * Takes the votes of a banned account out of the counts of open polls. Returns the affected polls' ids. Idempotent.
 * @throws AppError `not_found`; `conflict` if the account is not banned.
 */
export async function excludeVotes(db: Db, userId: number, actor: Actor): Promise<string[]> {
  const isBanned = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND banned_at IS NOT NULL)`
  const [excluded, , users] = await db.$client.batch<{ pollId: string; isBanned: number }>([
    prepare(
      db,
      sql`UPDATE poll_votes SET excluded_at = ${actor.at}
        WHERE ${isOpenPollVoteOf(userId, actor.at)} AND excluded_at IS NULL AND ${isBanned} RETURNING poll_id AS pollId`,
    ),
    recordAuditWithCount(db, { ...actor, action: 'supporter.votes_excluded', subject: `user:${userId}` }),
    prepare(db, sql`SELECT banned_at IS NOT NULL AS isBanned FROM users WHERE id = ${userId}`),
  ])
  const [user] = users?.results ?? []
  if (!user) throw unknownUserError()
  if (!user.isBanned) throw new AppError('conflict', 'Only the votes of a banned account can be excluded.')
  return excluded?.results.map(({ pollId }) => pollId) ?? []
}

/** Statements that count the excluded votes in open polls again, with an audit entry. The first returns poll ids. */
export const includeVotesStatements = (db: Db, userId: number, actor: Actor): D1PreparedStatement[] => [
  prepare(
    db,
    sql`UPDATE poll_votes SET excluded_at = NULL
      WHERE ${isOpenPollVoteOf(userId, actor.at)} AND excluded_at IS NOT NULL RETURNING poll_id AS pollId`,
  ),
  recordAuditWithCount(db, { ...actor, action: 'supporter.votes_included', subject: `user:${userId}` }),
]

/** Undoes `excludeVotes`. Returns the affected polls' ids. Idempotent. */
export async function includeVotes(db: Db, userId: number, actor: Actor): Promise<string[]> {
  const [included] = await db.$client.batch<{ pollId: string }>(includeVotesStatements(db, userId, actor))
  return included?.results.map(({ pollId }) => pollId) ?? []
}
