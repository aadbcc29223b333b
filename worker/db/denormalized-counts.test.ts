import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { LISTED_ON_LEADERBOARD } from '../points/leaderboard'
import { addTrack, addUser } from '../testing/fixtures'
import { runSql } from '../testing/stores'

// Triggers maintain stored counts and sums, which must match the rows after any statements, rejected ones included.

const users: number[] = []

beforeAll(async () => {
  for (let i = 0; i < 3; i++) users.push((await addUser()).id)
  await addTrack({ id: 1, likes: 20_000 })
  await addTrack({ id: 2 })
  // One vote completes mission m, one purchase completes mission buy. The ledger keys of m2 begin like those of m.
  await runSql(`INSERT INTO missions (id, title, description, points, action, target, position) VALUES
    ('m', 'M', '', 1, 'poll_vote', 1, 1), ('buy', 'B', '', 1, 'merch_purchase', 1, 2), ('m2', 'M', '', 1, 'poll_vote', 2, 3)`)
  for (const id of ['p', 'q']) {
    await runSql("INSERT INTO polls (id, title, ends_at, created_at) VALUES (?1, 'A poll', 0, 0)", id)
    for (const position of [1, 2])
      await runSql(
        'INSERT INTO poll_options (id, poll_id, title, position) VALUES (?1, ?2, ?1, ?3)',
        `${id}${position}`,
        id,
        position,
      )
    await runSql(
      `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from, voting_until, winner_on, closed_on)
       VALUES (?1, '', '', '', '', '', '', '', '', '')`,
      id,
    )
    for (const position of [1, 2])
      await runSql(
        "INSERT INTO challenge_finalists (id, challenge_id, name, position) VALUES (?1, ?2, '', ?3)",
        `${id}${position}`,
        id,
        position,
      )
  }
})

const user = fc.integer({ min: 0, max: 2 })
const track = fc.integer({ min: 1, max: 2 })
// Polls and challenges have the same ids here, and so have poll options and finalists.
const poll = fc.constantFrom('p', 'q')
const option = fc.constantFrom('p1', 'p2', 'q1', 'q2')
const smallNumber = fc.integer({ min: 0, max: 3 })
const VOTE = 'INSERT INTO poll_votes (poll_id, user_id, option_id, cast_at, counted_at) VALUES (?1, ?2, ?3, 0, 0)'
const ADD_POINTS = `INSERT INTO ledger (user_id, action, key, description, points, created_at) VALUES (?1, 'x', ?2, 'x', ?3, 0)`
const ADD_PURCHASE = `INSERT INTO ledger (user_id, action, key, description, points, created_at) VALUES (?1, 'merch_purchase', ?2, 'x', 0, 0)`
const ADD_REFUND = `INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT user_id, 'merch_refund', 'undo:' || key, 'x', -points, 0 FROM ledger WHERE user_id = ?1 AND key = ?2`

/** SQL and bound values; many are rejected and must change nothing. */
const statement: fc.Arbitrary<readonly unknown[]> = fc.oneof(
  fc.tuple(poll, user, option).map(([p, u, o]) => [VOTE, p, users[u], o]),
  fc.tuple(poll, user, option).map(([p, u, o]) => [`${VOTE} ON CONFLICT DO NOTHING`, p, users[u], o]),
  fc.tuple(poll, user).map(([p, u]) => ['DELETE FROM poll_votes WHERE poll_id = ?1 AND user_id = ?2', p, users[u]]),
  fc.tuple(user, option).map(([u, o]) => ['UPDATE poll_votes SET option_id = ?2 WHERE user_id = ?1', users[u], o]),
  fc
    .tuple(user, fc.constantFrom(null, 1))
    .map(([u, at]) => ['UPDATE poll_votes SET excluded_at = ?2 WHERE user_id = ?1', users[u], at]),
  fc
    .tuple(user, smallNumber, fc.integer({ min: -60, max: 60 }))
    .map(([u, k, points]) => [ADD_POINTS, users[u], `key${k}`, points]),
  fc
    .tuple(user, smallNumber)
    .map(([u, k]) => [`UPDATE ledger SET points = points + 5 WHERE user_id = ?1 AND key = ?2`, users[u], `key${k}`]),
  fc.tuple(user, smallNumber).map(([u, k]) => [ADD_PURCHASE, users[u], `buy${k}`]),
  fc.tuple(user, fc.constantFrom('mission:buy', 'mission:buy#2')).map(([u, key]) => [ADD_REFUND, users[u], key]),
  fc.tuple(user).map(([u]) => ['DELETE FROM ledger WHERE user_id = ?1', users[u]]),
  fc
    .tuple(
      user,
      fc.constantFrom('leaderboard_opt_out = 1 - leaderboard_opt_out', 'banned_at = iif(banned_at, NULL, 1)'),
    )
    .map(([u, change]) => [`UPDATE users SET ${change} WHERE id = ?1`, users[u]]),
  fc
    .tuple(track, smallNumber, smallNumber)
    .map(([t, day, plays]) => [
      'INSERT INTO track_days (track_id, day, plays) VALUES (?1, ?2, ?3) ON CONFLICT (track_id, day) DO UPDATE SET plays = plays + excluded.plays',
      t,
      `2026-01-0${day + 1}`,
      plays,
    ]),
  fc
    .tuple(track, smallNumber)
    .map(([t, day]) => ['DELETE FROM track_days WHERE track_id = ?1 AND day = ?2', t, `2026-01-0${day + 1}`]),
  fc
    .tuple(track, smallNumber)
    .map(([t, at]) => [
      "INSERT INTO stream_reports (listener, track_id, started_at, counted_at) VALUES ('l', ?1, ?2, ?3)",
      t,
      at,
      at * 86_400_000,
    ]),
  fc
    .tuple(track, user)
    .map(([t, u]) => ['INSERT INTO track_likes (track_id, user_id, liked_at) VALUES (?1, ?2, 0)', t, users[u]]),
  fc.tuple(track, user).map(([t, u]) => ['DELETE FROM track_likes WHERE track_id = ?1 AND user_id = ?2', t, users[u]]),
  fc
    .tuple(poll, option, smallNumber)
    .map(([c, f, voter]) => [
      'INSERT INTO challenge_ballots (challenge_id, finalist_id, cast_at, voter_pseudonym) VALUES (?1, ?2, 0, ?3)',
      c,
      f,
      `v${voter}`,
    ]),
  fc
    .tuple(option, smallNumber)
    .map(([f, voter]) => ['UPDATE challenge_ballots SET finalist_id = ?1 WHERE voter_pseudonym = ?2', f, `v${voter}`]),
  fc
    .tuple(smallNumber, fc.constantFrom(null, 'burst'))
    .map(([voter, reason]) => [
      'UPDATE challenge_ballots SET excluded_for = ?2 WHERE voter_pseudonym = ?1',
      `v${voter}`,
      reason,
    ]),
  fc.tuple(smallNumber).map(([voter]) => ['DELETE FROM challenge_ballots WHERE voter_pseudonym = ?1', `v${voter}`]),
)

/**
 * Each query finds wrong counts, the last one votes without points; no UNION, because D1 allows only five terms.
 * `'$'` sorts right after `'#'`: the range of mission m has `mission:m` and `mission:m#2`, but not `mission:m2`.
 */
const CHECKS = [
  'SELECT id FROM users u WHERE points <> (SELECT coalesce(sum(points), 0) FROM ledger WHERE user_id = u.id)',
  'SELECT id FROM poll_options o WHERE votes <> (SELECT count(*) FROM poll_votes WHERE option_id = o.id AND counted_at IS NOT NULL AND excluded_at IS NULL)',
  'SELECT id FROM tracks t WHERE plays <> (SELECT coalesce(sum(plays), 0) FROM track_days WHERE track_id = t.id)',
  'SELECT id FROM tracks t WHERE likes <> iif(id = 1, 20000, 0) + (SELECT count(*) FROM track_likes WHERE track_id = t.id)',
  'SELECT id FROM challenge_finalists f WHERE votes <> (SELECT count(*) FROM challenge_ballots WHERE finalist_id = f.id AND excluded_for IS NULL)',
  `SELECT points FROM standings s WHERE people <> (SELECT count(*) FROM users WHERE ${LISTED_ON_LEADERBOARD} AND points = s.points)`,
  `SELECT id FROM users u WHERE ${LISTED_ON_LEADERBOARD} AND NOT EXISTS (SELECT 1 FROM standings WHERE points = u.points)`,
  "SELECT id FROM missions m WHERE times_paid <> (SELECT count(*) FROM ledger WHERE action = 'mission' AND key >= 'mission:' || m.id AND key < 'mission:' || m.id || '$')",
  "SELECT user_id FROM poll_votes v WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE user_id = v.user_id AND key = 'poll_vote:' || v.poll_id)",
]
async function expectConsistentCounts() {
  const results = await env.DB.batch(CHECKS.map((sql) => env.DB.prepare(sql)))
  expect(results.flatMap(({ results }, index) => (results.length > 0 ? [CHECKS[index], results] : []))).toEqual([])
}

test('stored counts match the rows after any statements', async () => {
  let succeededCount = 0
  let rejectedCount = 0
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { minLength: 5, maxLength: 40 }), async (statements) => {
      for (const [sql, ...values] of statements)
        await runSql(String(sql), ...values).then(
          () => succeededCount++,
          () => rejectedCount++,
        )
      await expectConsistentCounts()
    }),
    { numRuns: 20 },
  )
  expect(Math.min(succeededCount, rejectedCount)).toBeGreaterThan(30)
}, 30_000)

test('rolls back votes, points and counts with the batch', async () => {
  const before = await env.DB.prepare(
    'SELECT (SELECT count(*) FROM poll_votes) v, (SELECT count(*) FROM ledger) l',
  ).first()
  const userId = (await addUser()).id
  const vote = env.DB.prepare(VOTE).bind('p', userId, 'p1')
  await expect(env.DB.batch([vote, env.DB.prepare(ADD_POINTS).bind(userId, 'debt', -1000)])).rejects.toThrow(
    'users_points',
  )
  expect(
    await env.DB.prepare('SELECT (SELECT count(*) FROM poll_votes) v, (SELECT count(*) FROM ledger) l').first(),
  ).toEqual(before)
  await expectConsistentCounts()
})
