import { CALLER, type Claim, callerBinds } from '../auth/sessions'
import type { Leaderboard } from '../contract/points'
import type { Db } from '../db/client'
import { limits } from '../limits'

/** Who stands on the board (ruling 18): word for word the condition of the index users_by_points, or it is not used. */
const LISTED =
  "role = 'supporter' AND leaderboard_opt_out = 0 AND is_demo_login = 0 AND banned_at IS NULL AND erased_at IS NULL"

export const TOP = `
  SELECT username, points FROM users WHERE ${LISTED} ORDER BY points DESC, id LIMIT ${limits.leaderboardEntries}`

/** The caller's place: one behind everybody listed with more points, or with as many and an older account. */
export const PLACE = `
  WITH ${CALLER} SELECT caller.points,
    1 + (SELECT count(*) FROM users WHERE ${LISTED} AND points > caller.points)
      + (SELECT count(*) FROM users WHERE ${LISTED} AND points = caller.points AND id < caller.id) AS rank
  FROM caller WHERE caller.role = 'supporter'`

/**
 * The supporters with the most points, and the place of the bearer of `claim`. Somebody who opted out is on nobody
 * else's board and still sees where they stand; a visitor or an administrator stands nowhere.
 */
export async function leaderboard(db: Db, claim: Claim | null): Promise<Leaderboard> {
  const d1 = db.$client
  const [top, place] = await d1.batch([d1.prepare(TOP), d1.prepare(PLACE).bind(...callerBinds(claim))])
  const entries = (top?.results ?? []) as { username: string; points: number }[]
  const [me] = (place?.results ?? []) as { rank: number; points: number }[]
  return {
    entries: entries.map(({ username, points }, index) => ({ rank: index + 1, username, points })),
    me: me ? { rank: me.rank, points: me.points } : null,
  }
}
