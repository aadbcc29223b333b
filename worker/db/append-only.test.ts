import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { addUser } from '../testing/fixtures'

const run = (sql: string) => env.DB.prepare(sql).run()
let other: number

beforeAll(async () => {
  const { id } = await addUser()
  other = (await addUser()).id
  const entry = `INSERT INTO ledger (user_id, action, key, description, points, created_at) VALUES (${id},`
  await run(`${entry} 'track_stream', 'track_stream:1:20260101', 'Listened to “A Song”', 5, 1)`)
  await run(`${entry} 'poll_vote', 'poll_vote:p', 'Voted in “Which?”', 10, 1)`)
  await run(
    `INSERT INTO audit_log (at, actor_id, action, subject, detail) VALUES (1, ${id}, 'post.hidden', 'post:1', '{"reason":"Ana","kind":"x"}')`,
  )
})

const LISTEN = "WHERE action = 'track_stream'"
const VOTE = "WHERE action = 'poll_vote'"

test.each([
  ['whose it is', () => `UPDATE ledger SET user_id = ${other} ${VOTE}`],
  ['its points', () => `UPDATE ledger SET points = 11 ${VOTE}`],
  ['its instant', () => `UPDATE ledger SET created_at = 2 ${VOTE}`],
  ['its act', () => `UPDATE ledger SET action = 'track_like' ${VOTE}`],
  ['the key of a vote', () => `UPDATE ledger SET key = 'poll_vote:q' ${VOTE}`],
  ['a listen’s key for another track', () => `UPDATE ledger SET key = 'track_stream:2:20260101' ${LISTEN}`],
  ['its words for any others', () => `UPDATE ledger SET description = 'Voted twice' ${VOTE}`],
  ['the row', () => `DELETE FROM ledger ${VOTE}`],
])('rejects changes of the ledger: %s', async (_, sql) => {
  await expect(run(sql())).rejects.toThrow('append-only')
})

test('lets the ledger drop poll and track ids', async () => {
  await run(`UPDATE ledger SET description = 'Voted in a poll' ${VOTE}`)
  await run(`UPDATE ledger SET description = 'Listened to a track', key = 'track_stream:anonymous:' || id ${LISTEN}`)
  expect(await env.DB.prepare('SELECT sum(points) AS n FROM ledger').first('n')).toBe(15)
})

test('lets the audit log drop its reason only', async () => {
  for (const set of ['at = 2', "action = 'x'", "subject = 'user:1'", `detail = '{"reason":"Bo"}'`, "detail = '{}'"])
    await expect(run(`UPDATE audit_log SET ${set}`)).rejects.toThrow('append-only')
  await run("UPDATE audit_log SET detail = json_remove(detail, '$.reason') WHERE subject = 'post:1'")
  expect(await env.DB.prepare("SELECT detail FROM audit_log WHERE subject = 'post:1'").first('detail')).toBe(
    '{"kind":"x"}',
  )
})
