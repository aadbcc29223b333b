import { SUPPORTERS_BY_TRIGRAM } from '../worker/admin/users'
import { callerBinds } from '../worker/auth/sessions'
import { FEED_SQL } from '../worker/community/posts'
import { SELECT_MISSIONS } from '../worker/missions/missions'
import { SELECT_RANK, SELECT_TOP } from '../worker/points/leaderboard'
import { SELECT_HISTORY } from '../worker/points/points'
import { POLL_COUNTS } from '../worker/polls/live'
import { SELECT_ACTIVE_POLLS } from '../worker/polls/polls'
import { INSERT_VOTES, serializeVotes, VOTE_OUTCOMES } from '../worker/polls/vote'
import { addLoadUsers, openLoadPoll } from '../worker/testing/seed'

/** One figure at each size, in microseconds, and the rows that D1 read for it. */
export type Growth = { figure: string; micros: number[]; rows: number[]; held: boolean }

export const SIZES = [10_000, 100_000, 1_000_000]
/** Rows read at the largest size over those at the smallest (performance gate; a tenth of it runs in `npm test`). */
const MAX_RATIO = 1.2
const REPEATS = 100

/** Somebody with the fewest points of all and a hundred lines of history; nobody else reads more. */
const READER = { userId: 1, epoch: 0, sid: '' }
const caller = callerBinds(READER)
const VOTER = 2

const READS: Record<string, readonly [sql: string, binds: readonly unknown[]]> = {
  'the fifty leaders': [SELECT_TOP, []],
  'own place': [SELECT_RANK, caller],
  'points history, a page': [SELECT_HISTORY, [...caller, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
  'polls and their counts': [SELECT_ACTIVE_POLLS, [...caller, 1]],
  'missions and progress': [SELECT_MISSIONS, [...caller, 1]],
  'the newest posts': [FEED_SQL, [...caller, Number.MAX_SAFE_INTEGER, '']],
  'a supporter found by name': [SUPPORTERS_BY_TRIGRAM, [Number.MAX_SAFE_INTEGER, '"fan4999"']],
  'live counts of a poll': [POLL_COUNTS, ['crowd']],
}

/** How the cost of each hot query grows with the crowd: a hundred of each in one round trip. */
export async function measureGrowth(db: D1Database): Promise<Growth[]> {
  await openLoadPoll(db, 1_000_000_000)
  await db.batch([
    db.prepare(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO users (id, username, username_key, created_at, last_active_at)
      SELECT i, 'fan' || CAST(i AS INTEGER), 'fan' || CAST(i AS INTEGER), 0, 0 FROM n`),
    db.prepare(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO ledger (user_id, action, key, description, points, created_at)
      SELECT 1, 'community_post', 'community_post:' || i, 'Posted', 1, i FROM n`),
    db.prepare(`INSERT INTO missions (id, title, description, points, action, target, position)
      VALUES ('votes', 'Vote', '', 5, 'poll_vote', 3, 1)`),
  ])
  const grown: Record<string, Pick<Growth, 'micros' | 'rows'>> = {}
  let people = 0
  let voter = VOTER
  for (const size of SIZES) {
    await addLoadUsers(db, people, size)
    people = size
    for (const [figure, [sql, binds]] of Object.entries(READS))
      note(figure, await timed(Array.from({ length: REPEATS }, () => db.prepare(sql).bind(...binds))))
    const votes = Array.from({ length: REPEATS }, () => {
      const claim = { ...READER, userId: voter++ }
      const ballot = serializeVotes([{ session: claim, pollId: 'crowd', optionId: 'crowd-a', at: 2 }])
      return [INSERT_VOTES, VOTE_OUTCOMES].map((sql) => db.prepare(sql).bind(ballot))
    })
    note('a vote and its outcome', await timed(votes.flat()))
  }
  return Object.entries(grown).map(([figure, { micros, rows }]) => ({
    figure,
    micros,
    rows,
    held: (rows.at(-1) ?? Number.NaN) <= MAX_RATIO * (rows[0] ?? Number.NaN),
  }))

  function note(figure: string, { micros, rows }: { micros: number; rows: number }) {
    const row = grown[figure] ?? { micros: [], rows: [] }
    grown[figure] = { micros: [...row.micros, micros], rows: [...row.rows, rows] }
  }
  /** What one of so many costs, by the clock around their round trip. */
  async function timed(statements: D1PreparedStatement[]) {
    const began = performance.now()
    const responses = await db.batch(statements)
    const micros = ((performance.now() - began) * 1000) / REPEATS
    return { micros, rows: responses.reduce((sum, { meta }) => sum + meta.rows_read, 0) / REPEATS }
  }
}
