import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import type { Leaderboard } from '../contract/points'
import type { Db } from '../db/client'
import { limits } from '../limits'

/**
 * Must equal the condition of the index users_by_points, or SQLite does not use the index. Unconfirmed accounts are not
 * listed.
 */
export const LISTED_ON_LEADERBOARD = `role = 'supporter' AND leaderboard_opt_out = 0 AND is_demo_login = 0
  AND banned_at IS NULL AND erased_at IS NULL AND (email IS NULL OR email_verified_at IS NOT NULL)`

export const SELECT_TOP = `
  SELECT id, username, points FROM users WHERE ${LISTED_ON_LEADERBOARD} ORDER BY points DESC, id LIMIT ${limits.leaderboardSize}`

/** The caller's points and rank. `sharedRank`: one plus the number of listed supporters with more points. */
export const SELECT_RANK = `
  WITH ${CALLER_CTE} SELECT caller.id, caller.points,
    EXISTS (SELECT 1 FROM users WHERE id = caller.id AND ${LISTED_ON_LEADERBOARD}) AS listed,
    1 + (SELECT coalesce(sum(people), 0) FROM standings WHERE points > caller.points) AS sharedRank
  FROM caller WHERE caller.role = 'supporter'`

type TopRow = { id: number; username: string; points: number }
type RankRow = { id: number; points: number; listed: number; sharedRank: number }

/**
 * The top supporters and the caller's rank. Supporters with equal points are ordered by id on the leaderboard, and
 * share a rank below it. Users who opted out still see their own rank; visitors and administrators have none.
 */
export async function readLeaderboard(db: Db, session: SessionPayload | null): Promise<Leaderboard> {
  const d1 = db.$client
  const [top, rank] = await d1.batch([d1.prepare(SELECT_TOP), d1.prepare(SELECT_RANK).bind(...callerBinds(session))])
  const topRows = (top?.results ?? []) as TopRow[]
  const [me] = (rank?.results ?? []) as RankRow[]
  return {
    entries: topRows.map(({ username, points }, index) => ({ rank: index + 1, username, points })),
    me: me ? { rank: rankOf(me, topRows), points: me.points } : null,
  }
}

function rankOf({ id, listed, sharedRank }: RankRow, topRows: readonly TopRow[]): number {
  const index = topRows.findIndex((entry) => entry.id === id)
  if (index >= 0) return index + 1
  // With as many points as the last supporter of the leaderboard, the caller still ranks below it.
  return listed ? Math.max(sharedRank, topRows.length + 1) : sharedRank
}
