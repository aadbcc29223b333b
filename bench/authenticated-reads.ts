import type { Env } from '../worker/env'
import { voterId, voterRequest } from './vote-load'

// What a supporter reads of their own, and its floors: the rows of the same answer in one raw round trip, without a
// session, a check or a shape.

/** Voters with a history of their own. */
const READERS = 50
let requestCount = 0
const next = () => requestCount++ % READERS

/** Sixty lines of history for each reader: a page and the one behind it. */
export async function seedHistories({ DB }: Env): Promise<void> {
  await DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 * 60 - 1)
     INSERT INTO ledger (user_id, action, key, description, points, created_at)
     SELECT ?2 + i % ?1, 'community_post', 'community_post:bench-' || CAST(i AS INTEGER), 'Posted in the community', 15, i FROM n`,
  )
    .bind(READERS, voterId(0))
    .run()
}

export const authenticatedRead = (path: string) => voterRequest(next(), path)

export async function rawHistory({ DB }: Env): Promise<Response> {
  const { results } = await DB.prepare(
    `SELECT id, action, description, points, created_at FROM ledger WHERE user_id = ?1
     ORDER BY created_at DESC, id DESC LIMIT 50`,
  )
    .bind(voterId(next()))
    .all()
  return Response.json(results)
}

export async function rawRank({ DB }: Env): Promise<Response> {
  const [top, place] = await DB.batch([
    DB.prepare(
      `SELECT username, points FROM users WHERE role = 'supporter' AND leaderboard_opt_out = 0 AND is_demo_login = 0
       AND banned_at IS NULL AND erased_at IS NULL ORDER BY points DESC, id LIMIT 50`,
    ),
    DB.prepare(
      `SELECT points, 1 + (SELECT coalesce(sum(people), 0) FROM standings s WHERE s.points > users.points) AS place
       FROM users WHERE id = ?1`,
    ).bind(voterId(next())),
  ])
  return Response.json({ entries: top?.results, me: place?.results[0] })
}

export async function rawPolls({ DB }: Env): Promise<Response> {
  const { results } = await DB.prepare(
    `SELECT p.id, p.title, p.description, p.ends_at, o.id AS option_id, o.title AS option_title, o.votes, v.option_id AS mine
     FROM (SELECT * FROM polls WHERE ends_at > ?1 AND hidden_at IS NULL ORDER BY ends_at, id LIMIT 50) p
     JOIN poll_options o ON o.poll_id = p.id LEFT JOIN poll_votes v ON v.poll_id = p.id AND v.user_id = ?2`,
  )
    .bind(Date.now(), voterId(next()))
    .all()
  return Response.json(results)
}
