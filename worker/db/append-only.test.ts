import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { addUser } from '../testing/fixtures'
import { runSql } from '../testing/stores'

let otherUserId: number

beforeAll(async () => {
  const { id } = await addUser()
  otherUserId = (await addUser()).id
  const entry = `INSERT INTO ledger (user_id, action, key, description, points, created_at) VALUES (${id},`
  await runSql(`${entry} 'track_stream', 'track_stream:1:20260101', 'Listened to “A Song”', 5, 1)`)
  await runSql(`${entry} 'poll_vote', 'poll_vote:p', 'Voted in “Which?”', 10, 1)`)
  await runSql(
    `INSERT INTO audit_log (at, actor_id, action, subject, detail) VALUES (1, ${id}, 'post.hidden', 'post:1', '{"reason":"Ana","kind":"x"}')`,
  )
})

const STREAM = "WHERE action = 'track_stream'"
const VOTE = "WHERE action = 'poll_vote'"

test.each([
  ['user', () => `UPDATE ledger SET user_id = ${otherUserId} ${VOTE}`],
  ['points', () => `UPDATE ledger SET points = 11 ${VOTE}`],
  ['timestamp', () => `UPDATE ledger SET created_at = 2 ${VOTE}`],
  ['action', () => `UPDATE ledger SET action = 'track_like' ${VOTE}`],
  ['key of a vote', () => `UPDATE ledger SET key = 'poll_vote:q' ${VOTE}`],
  ['key of a stream, to another track', () => `UPDATE ledger SET key = 'track_stream:2:20260101' ${STREAM}`],
  ['description', () => `UPDATE ledger SET description = 'Voted twice' ${VOTE}`],
  ['deletion', () => `DELETE FROM ledger ${VOTE}`],
])('rejects changes of the ledger: %s', async (_, sql) => {
  await expect(runSql(sql())).rejects.toThrow('append-only')
})

test('allows removing poll titles and track ids from ledger entries', async () => {
  await runSql(`UPDATE ledger SET description = 'Voted in a poll' ${VOTE}`)
  await runSql(`UPDATE ledger SET description = 'Listened to a track', key = 'track_stream:anonymous:' || id ${STREAM}`)
  expect(await env.DB.prepare('SELECT sum(points) AS n FROM ledger').first('n')).toBe(15)
})

test('allows removing only the reason from a post’s audit entry', async () => {
  for (const set of ['at = 2', "action = 'x'", "subject = 'user:1'", `detail = '{"reason":"Bo"}'`, "detail = '{}'"])
    await expect(runSql(`UPDATE audit_log SET ${set}`)).rejects.toThrow('append-only')
  await runSql("UPDATE audit_log SET detail = json_remove(detail, '$.reason') WHERE subject = 'post:1'")
  expect(await env.DB.prepare("SELECT detail FROM audit_log WHERE subject = 'post:1'").first('detail')).toBe(
    '{"kind":"x"}',
  )
})
