import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import type { Leaderboard } from '../contract/points'
import type { Db } from '../db/client'
import { limits } from '../limits'

/** Who stands on the board (ruling 18): word for word the condition of the index users_by_points, or it is not used. */
export const LISTED_ON_LEADERBOARD =
  "role = 'supporter' AND leaderboard_opt_out = 0 AND is_demo_login = 0 AND banned_at IS NULL AND erased_at IS NULL"

export const SELECT_TOP = `
  SELECT id, username, points FROM users WHERE ${LISTED_ON_LEADERBOARD} ORDER BY points DESC, id LIMIT ${limits.leaderboardSize}`

/** The caller's place if they were the first with their points: behind everybody listed who has more. */
export const SELECT_RANK = `
  WITH ${CALLER_CTE} SELECT caller.id, caller.points,
    EXISTS (SELECT 1 FROM users WHERE id = caller.id AND ${LISTED_ON_LEADERBOARD}) AS listed,
    1 + (SELECT coalesce(sum(people), 0) FROM standings WHERE points > caller.points) AS place
  FROM caller WHERE caller.role = 'supporter'`

type TopRow = { id: number; username: string; points: number }
type RankRow = { id: number; points: number; listed: number; place: number }

/**
 * The supporters with the most points, and the place of the bearer of `session`. On the board equal points stand in the
 * order of who came first; behind it they share a place, which is then found without counting everybody ahead. Somebody
 * who opted out is on nobody else's board and still sees where they stand; a visitor or an administrator stands nowhere.
 */
export async function readLeaderboard(db: Db, session: SessionPayload | null): Promise<Leaderboard> {
  const d1 = db.$client
  const [top, place] = await d1.batch([d1.prepare(SELECT_TOP), d1.prepare(SELECT_RANK).bind(...callerBinds(session))])
  const board = (top?.results ?? []) as TopRow[]
  const [me] = (place?.results ?? []) as RankRow[]
  return {
    entries: board.map(({ username, points }, index) => ({ rank: index + 1, username, points })),
    me: me ? { rank: rankOf(me, board), points: me.points } : null,
  }
}

function rankOf({ id, listed, place }: RankRow, board: readonly TopRow[]): number {
  const onBoard = board.findIndex((entry) => entry.id === id)
  if (onBoard >= 0) return onBoard + 1
  // As many points as the last on the board, and a younger account: behind it all the same.
  return listed ? Math.max(place, board.length + 1) : place
}
