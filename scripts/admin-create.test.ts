import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminStatements, argumentError, passwordError } from './admin-create'
import { copyMigratedState } from './races/prebuilt'
import { withLocalBindings } from './tools/wrangler'

const stateFolder = mkdtempSync(join(tmpdir(), 'admin-create-'))
beforeAll(() => copyMigratedState(stateFolder))
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

test('promotes matching accounts and unlinks Google beside a password', async () => {
  const accounts = [
    { name: 'fine', promotedAs: 'other@site.example' },
    { name: 'gone', isBanned: true },
    { name: 'hasher', hash: 'h' },
    { name: 'googler' },
  ].map((account) => ({ email: `${account.name}@site.example`, hash: null, isBanned: false, ...account }))
  await withLocalBindings(stateFolder, async ({ DB }) => {
    for (const { name, email, hash, isBanned, promotedAs } of accounts) {
      const user = DB.prepare(
        `INSERT INTO users (username, username_key, email, email_key, password_hash, banned_at, created_at, last_active_at)
          VALUES (?1, ?1, ?2, ?2, ?3, ?4, 1, 1) RETURNING id`,
      ).bind(name, email, hash, isBanned ? 1 : null)
      const id = await user.first('id')
      await DB.prepare("INSERT INTO identities (provider, subject, user_id, created_at) VALUES ('google', ?1, ?2, 1)")
        .bind(name, id)
        .run()
      const sql = adminStatements({ username: name, email: promotedAs ?? email, promote: true }, null, 1)
      await DB.batch(sql.split(';').flatMap((statement) => (statement.trim() ? DB.prepare(statement) : [])))
    }
    const { results } = await DB.prepare(
      `SELECT username, role, referral_code AS code, (SELECT count(*) FROM identities WHERE user_id = users.id) AS google,
        (SELECT count(*) FROM audit_log WHERE subject = 'user:' || users.id) AS audited FROM users ORDER BY id`,
    ).all()
    const promoted = { role: 'administrator', code: expect.stringMatching(/^FAN\d+[A-Z0-9]{3}$/), audited: 1 }
    const unchanged = { role: 'supporter', code: null, audited: 0, google: 1 }
    expect(results).toEqual([
      { username: 'fine', ...unchanged },
      { username: 'gone', ...unchanged },
      { username: 'hasher', ...promoted, google: 0 },
      { username: 'googler', ...promoted, google: 1 },
    ])
  })
}, 60_000)

test.each([
  ['too short', "An administrator's password has 12 to 128 characters."],
  ['Password123456!', 'That password is easily guessed. Please choose another.'],
  ['four quiet gulls', null],
])('rates the password %s', (password, message) => {
  expect(passwordError(password, { username: 'second', email: 'second@site.example', promote: false })).toBe(message)
})

test.each([
  ["rob'); DROP TABLE users;--", 'a@site.example'],
  ['fine', "a'@site.example"],
  ['fine', 'no address'],
  ['ab', 'a@site.example'],
])('rejects username %o with address %o', (username, email) => {
  expect(argumentError({ username, email, promote: false })).not.toBe(null)
})

test('quotes SQL values', () => {
  expect(adminStatements({ username: "o'x", email: 'a@b.co', promote: false }, 'h', 1)).toContain("'o''x'")
})
