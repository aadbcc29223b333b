import { beforeAll, expect, test } from 'vitest'
import { loadFixtures } from '../testing/fixtures'
import { runSql } from '../testing/stores'

// Many statements use OR REPLACE, because it deletes rows without delete triggers and turns NULL into defaults.

beforeAll(async () => {
  await loadFixtures()
  await runSql("INSERT INTO challenge_finalists (id, challenge_id, name, position) VALUES ('n', 'open', 'n', 1)")
  await runSql(
    "INSERT INTO challenge_ballots (challenge_id, finalist_id, cast_at, voter_pseudonym) VALUES ('open', 'n', 0, 'v')",
  )
  for (const subject of ['post:1', 'site:1'])
    await runSql(
      `INSERT INTO audit_log (at, actor_id, action, subject, detail) SELECT 0, min(id), 'x', '${subject}', '{"reason":"r"}' FROM users`,
    )
})

const DAYS_IN_ORDER =
  'submissions_from, submissions_until, finalists_on, voting_from, voting_until, winner_on, closed_on'
/** Columns that cannot change once a challenge is finalized: in the fixtures `1` is, `open` is not. */
const FIXED_COLUMNS = [
  'title',
  'prize',
  'rules',
  'keyed_by',
  'opens_by_hand',
  'submissions_from',
  'submissions_until',
  'finalists_on',
  'voting_from',
  'voting_until',
  'winner_on',
  'submissions_open_at',
  'submissions_close_at',
  'finalists_at',
  'voting_opens_at',
  'voting_closes_at',
  'publish_at',
  'sealed_at',
  'ballots_sha256',
  'ballots_count',
  'excluded_count',
]
test.each([
  ...FIXED_COLUMNS.map((column) => `UPDATE challenges SET ${column} = coalesce(${column}, 0) || '9' WHERE id = '1'`),
  "UPDATE OR REPLACE challenges SET id = '1' WHERE id = 'open'",
  `INSERT OR REPLACE INTO challenges (id, title, prize, ${DAYS_IN_ORDER}) SELECT id, 'x', prize, ${DAYS_IN_ORDER} FROM challenges WHERE id = '1'`,
  "UPDATE OR REPLACE challenge_ballots SET id = (SELECT id FROM challenge_ballots WHERE challenge_id = '1') WHERE challenge_id = 'open'",
  "INSERT OR REPLACE INTO challenge_ballots (id, challenge_id, finalist_id, cast_at, voter_pseudonym) SELECT id, 'open', 'n', 0, 'x' FROM challenge_ballots WHERE challenge_id = '1'",
  "UPDATE OR REPLACE challenge_finalists SET id = '2' WHERE challenge_id = 'open'",
  "UPDATE OR REPLACE challenge_finalists SET submission_id = '1' WHERE challenge_id = 'open'",
  "INSERT OR REPLACE INTO challenge_finalists (id, challenge_id, name, position) VALUES ('2', 'open', 'x', 9)",
  "INSERT OR REPLACE INTO challenge_finalists (id, challenge_id, name, position, submission_id) VALUES ('x', 'open', 'x', 9, '1')",
])('rejects changes of a finalized challenge: %s', async (sql) => {
  await expect(runSql(sql)).rejects.toThrow('these votes are fixed')
})

test('allows earlier publication and a new closing day once finalized', async () => {
  const change = "UPDATE challenges SET publish_at = publish_at - 1, closed_on = '2027-01-01' WHERE id = '1'"
  expect((await runSql(change)).meta.changes).toBeGreaterThan(0)
})

test.each([
  'UPDATE OR REPLACE audit_log SET detail = NULL',
  'UPDATE OR REPLACE audit_log SET id = (SELECT max(id) FROM audit_log) WHERE id = (SELECT min(id) FROM audit_log)',
  'INSERT OR REPLACE INTO audit_log (id, at, actor_id, action) SELECT id, at, actor_id, action FROM audit_log',
  // A reason can be removed only where it may be about a person, as in the entry of `post:1`.
  "UPDATE audit_log SET detail = json_remove(detail, '$.reason') WHERE subject = 'site:1'",
])('rejects changes of the audit log: %s', async (sql) => {
  await expect(runSql(sql)).rejects.toThrow('append-only')
})
