// A crowd of any size, made by one statement a table: for what must cost the same however many people there are.

// Their ids count down from -1, so that whoever joins gets the id that they would have had anyway. They have one of two
// hundred different totals each, and all of them have voted.

const NUMBERS_SQL = 'WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)'
const USERS_SQL = `
  ${NUMBERS_SQL} INSERT INTO users (id, username, username_key, created_at, last_active_at)
  SELECT -1 - i, 'crowd' || CAST(i AS INTEGER), 'crowd' || CAST(i AS INTEGER), 0, 0 FROM n`
const LEDGER_SQL = `
  ${NUMBERS_SQL} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT -1 - i, 'track_like', 'track_like:1', 'Liked a song', 5 * (i * 7919 % 200), i FROM n`
const VOTES_SQL = `
  ${NUMBERS_SQL} INSERT INTO poll_votes (poll_id, user_id, option_id, cast_at)
  SELECT 'crowd', -1 - i, iif(i % 5, 'crowd-a', 'crowd-b'), i FROM n`

const POSTS_SQL = `
  ${NUMBERS_SQL} INSERT INTO posts (id, author_id, text, created_at)
  SELECT 'crowd' || CAST(i AS INTEGER), -1 - i, 'I was there', i FROM n`

/** The crowd's poll, which takes votes until `endsAt`. */
export async function openLoadPoll(db: D1Database, endsAt: number): Promise<void> {
  await db.batch([
    db.prepare("INSERT INTO polls (id, title, ends_at, created_at) VALUES ('crowd', 'All of us', ?1, 0)").bind(endsAt),
    db.prepare(`INSERT INTO poll_options (id, poll_id, title, position)
      VALUES ('crowd-a', 'crowd', 'A', 1), ('crowd-b', 'crowd', 'B', 2)`),
  ])
}

const BATCH_SIZE = 50_000

/** Adds people to a crowd of `from`, until there are `to`: each with points, by the ledger, a ballot and a post. */
export async function addLoadUsers(db: D1Database, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += BATCH_SIZE) {
    const last = Math.min(first + BATCH_SIZE, to) - 1
    await db.batch([USERS_SQL, LEDGER_SQL, VOTES_SQL, POSTS_SQL].map((sql) => db.prepare(sql).bind(first, last)))
  }
}
