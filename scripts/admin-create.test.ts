import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyPassword } from '../worker/auth/password'
import { adminStatements, argumentError } from './admin-create'
import { migrateLocal, withLocal } from './tools/local'

const state = mkdtempSync(join(tmpdir(), 'admin-create-'))
beforeAll(() => migrateLocal(state), 120_000)
afterAll(() => rmSync(state, { recursive: true, force: true }))

const create = (args: string[], password = 'a long enough password') =>
  spawnSync(process.execPath, ['scripts/admin-create.ts', '--state', state, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ADMIN_PASSWORD: password },
  })

test('creates an audited admin who can log in', async () => {
  const { status, stdout } = create(['--username', 'First.One', '--email', 'First@site.example'])
  expect([status, stdout.trim()]).toEqual([0, 'First.One can log in at /admin-login.'])
  const again = create(['--username', 'first.one', '--email', 'other@site.example'])
  expect([again.status, again.stderr.trim()]).toEqual([
    1,
    'There is an account with that name already. Use --promote to make it an administrator.',
  ])
  const { user, audit } = await withLocal(state, async ({ DB }) => ({
    user: await DB.prepare('SELECT * FROM users').first<Record<string, string>>(),
    audit: await DB.prepare('SELECT action FROM audit_log').all<{ action: string }>(),
  }))
  expect(user).toMatchObject({ username: 'First.One', email_key: 'first@site.example', role: 'administrator' })
  expect((await verifyPassword('a long enough password', user?.password_hash ?? null)).matches).toBe(true)
  expect(audit.results.map(({ action }) => action)).toEqual(['administrator.made'])
  const roles = await withLocal(state, ({ DB }) => DB.prepare('SELECT role FROM team_members').all())
  expect(roles.results).toEqual([{ role: 'owner' }])
}, 120_000)

test.each([
  ['too short', "An administrator's password has 12 to 128 characters."],
  ['Password123456!', 'That password is easily guessed. Please choose another.'],
])(
  'rejects the password %s',
  (password, message) => {
    const { status, stderr } = create(['--username', 'second', '--email', 'second@site.example'], password)
    expect([status, stderr.trim()]).toEqual([1, message])
  },
  60_000,
)

test('promotes neither mismatched nor suspended accounts', async () => {
  const people = ['fine', 'gone'].map(
    (name) => `INSERT INTO users (username, username_key, email, email_key, banned_at, created_at, last_active_at)
      VALUES ('${name}', '${name}', '${name}@site.example', '${name}@site.example', ${name === 'gone' ? 1 : 'NULL'}, 1, 1)`,
  )
  await withLocal(state, ({ DB }) => DB.batch(people.map((sql) => DB.prepare(sql))))
  for (const args of [
    ['--username', 'fine', '--email', 'other@site.example'],
    ['--username', 'gone', '--email', 'gone@site.example'],
  ])
    expect(create([...args, '--promote']).stderr.trim()).toBe(
      'There is no account with that name and address to promote.',
    )
  expect(create(['--username', 'fine', '--email', 'fine@site.example', '--promote']).status).toBe(0)
  const { results } = await withLocal(state, ({ DB }) =>
    DB.prepare("SELECT username, role, referral_code AS code FROM users WHERE username IN ('fine', 'gone')").all<{
      username: string
      role: string
      code: string
    }>(),
  )
  expect(results).toEqual([
    { username: 'fine', role: 'administrator', code: expect.stringMatching(/^FAN\d+[A-Z0-9]{3}$/) },
    { username: 'gone', role: 'supporter', code: null },
  ])
  const audit = await withLocal(state, ({ DB }) =>
    DB.prepare("SELECT count(*) AS n FROM audit_log WHERE action = 'administrator.made'").first(),
  )
  expect(audit).toEqual({ n: 2 })
}, 120_000)

test.each([
  ["rob'); DROP TABLE users;--", 'a@site.example'],
  ['fine', "a'@site.example"],
  ['fine', 'no address'],
  ['ab', 'a@site.example'],
])('rejects username %o with address %o', (username, email) => {
  expect(argumentError({ username, email, promote: false })).not.toBe(null)
})

test('a promotion unlinks Google from accounts with a password', async () => {
  const people = ['hasher', 'googler'].flatMap((name) => [
    `INSERT INTO users (username, username_key, email, email_key, password_hash, created_at, last_active_at)
      VALUES ('${name}', '${name}', '${name}@site.example', '${name}@site.example', ${name === 'hasher' ? "'h'" : 'NULL'}, 1, 1)`,
    `INSERT INTO identities (provider, subject, user_id, created_at)
      SELECT 'google', username, id, 1 FROM users WHERE username = '${name}'`,
  ])
  await withLocal(state, ({ DB }) => DB.batch(people.map((sql) => DB.prepare(sql))))
  for (const name of ['hasher', 'googler'])
    expect(create(['--username', name, '--email', `${name}@site.example`, '--promote']).status).toBe(0)
  const { results } = await withLocal(state, ({ DB }) => DB.prepare('SELECT subject FROM identities').all())
  expect(results).toEqual([{ subject: 'googler' }])
}, 120_000)

test('quotes SQL values', () => {
  expect(adminStatements({ username: "o'x", email: 'a@b.co', promote: false }, 'h', 1)).toContain("'o''x'")
})
