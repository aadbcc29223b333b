import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import type { Leaderboard } from '../contract/points'
import type { Db } from '../db/client'
import { limits } from '../limits'

/**
 * Must equal the condition of the index users_by_points, or SQLite does not use it. Unconfirmed accounts are not
 * listed; seeded supporters have no email.
 */
export const LISTED_ON_LEADERBOARD = `role = 'supporter' AND leaderboard_opt_out = 0 AND is_demo_login = 0
  AND banned_at IS NULL AND erased_at IS NULL AND (email IS NULL OR email_verified_at IS NOT NULL)`

export const SELECT_TOP = `
  SELECT id, username, points FROM users WHERE ${LISTED_ON_LEADERBOARD} ORDER BY points DESC, id LIMIT ${limits.leaderboardSize}`

/** `sharedRank`: one more than the number of listed users with more points. */
export const SELECT_RANK = `
  WITH ${CALLER_CTE} SELECT caller.id, caller.points,
    EXISTS (SELECT 1 FROM users WHERE id = caller.id AND ${LISTED_ON_LEADERBOARD}) AS listed,
    1 + (SELECT coalesce(sum(people), 0) FROM standings WHERE points > caller.points) AS sharedRank
  FROM caller WHERE caller.role = 'supporter'`

type TopRow = { id: number; username: string; points: number }
type RankRow = { id: number; points: number; listed: number; sharedRank: number }

/**
 * The top supporters and the caller's rank. On the board ties are ordered by id; below it they share a rank. Users who
 * opted out still see their own rank; visitors and administrators have none.
 */
export async function readLeaderboard(db: Db, session: SessionPayload | null): Promise<Leaderboard> {
  const d1 = db.$client
  const [top, rank] = await d1.batch([d1.prepare(SELECT_TOP), d1.prepare(SELECT_RANK).bind(...callerBinds(session))])
  const board = (top?.results ?? []) as TopRow[]
  const [me] = (rank?.results ?? []) as RankRow[]
  return {
    entries: board.map(({ username, points }, index) => ({ rank: index + 1, username, points })),
    me: me ? { rank: rankOf(me, board), points: me.points } : null,
  }
}

function rankOf({ id, listed, sharedRank }: RankRow, board: readonly TopRow[]): number {
  const onBoard = board.findIndex((entry) => entry.id === id)
  if (onBoard >= 0) return onBoard + 1
  // A tie with the last entry of the board ranks below it.
  return listed ? Math.max(sharedRank, board.length + 1) : sharedRank
}
