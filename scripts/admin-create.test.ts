import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminStatements, argumentError, passwordError } from './admin-create'
import { copyMigratedState } from './races/prebuilt'
import { withLocalBindings } from './tools/bindings'

const stateFolder = mkdtempSync(join(tmpdir(), 'admin-create-'))
beforeAll(() => copyMigratedState(stateFolder))
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

test('promotes matching accounts; unlinks Google from those with a password', async () => {
  const accounts = [
    { name: 'other-email', requestedEmail: 'other@site.example' },
    { name: 'banned', isBanned: true },
    { name: 'with-password', hash: 'h' },
    { name: 'google-only' },
  ].map((account) => ({ email: `${account.name}@site.example`, hash: null, isBanned: false, ...account }))
  await withLocalBindings(stateFolder, async ({ DB }) => {
    for (const { name, email, hash, isBanned, requestedEmail } of accounts) {
      const insertUser = DB.prepare(
        `INSERT INTO users (username, username_key, email, email_key, password_hash, banned_at, created_at, last_active_at)
          VALUES (?1, ?1, ?2, ?2, ?3, ?4, 1, 1) RETURNING id`,
      ).bind(name, email, hash, isBanned ? 1 : null)
      const id = await insertUser.first('id')
      await DB.prepare("INSERT INTO identities (provider, subject, user_id, created_at) VALUES ('google', ?1, ?2, 1)")
        .bind(name, id)
        .run()
      const sql = adminStatements({ username: name, email: requestedEmail ?? email, promote: true }, null, 1)
      await DB.batch(sql.split(';').flatMap((statement) => (statement.trim() ? DB.prepare(statement) : [])))
    }
    const { results } = await DB.prepare(
      `SELECT username, role, referral_code AS code, (SELECT count(*) FROM identities WHERE user_id = users.id) AS google,
        (SELECT count(*) FROM audit_log WHERE subject = 'user:' || users.id) AS audited FROM users ORDER BY id`,
    ).all()
    const promoted = { role: 'administrator', code: expect.stringMatching(/^FAN\d+[A-Z0-9]{3}$/), audited: 1 }
    const unchanged = { role: 'supporter', code: null, audited: 0, google: 1 }
    expect(results).toEqual([
      { username: 'other-email', ...unchanged },
      { username: 'banned', ...unchanged },
      { username: 'with-password', ...promoted, google: 0 },
      { username: 'google-only', ...promoted, google: 1 },
    ])
  })
}, 60_000)

test.each([
  ['too short', "An administrator's password has 12 to 128 characters."],
  ['Password123456!', 'That password is easily guessed. Please choose another.'],
  ['four quiet gulls', null],
])('checks the password %s', (password, message) => {
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
