import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyPassword } from '../worker/auth/password'
import { refusal, statements } from './admin-create'
import { migrate, withLocal } from './tools/local'

const state = mkdtempSync(join(tmpdir(), 'admin-create-'))
beforeAll(() => migrate(state), 120_000)
afterAll(() => rmSync(state, { recursive: true, force: true }))

const create = (args: string[], password = 'a desk of one’s own') =>
  spawnSync(process.execPath, ['scripts/admin-create.ts', '--state', state, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ADMIN_PASSWORD: password },
  })

test('the command makes an administrator of an empty house, who can log in, and writes it down', async () => {
  const { status, stdout } = create(['--username', 'First.One', '--email', 'First@house.example'])
  expect([status, stdout.trim()]).toEqual([0, 'First.One can log in at /admin-login.'])
  const again = create(['--username', 'first.one', '--email', 'other@house.example'])
  expect([again.status, again.stderr.trim()]).toEqual([
    1,
    'There is an account with that name already. Use --promote to make it an administrator.',
  ])
  const { user, audit } = await withLocal(state, async ({ DB }) => ({
    user: await DB.prepare('SELECT * FROM users').first<Record<string, string>>(),
    audit: await DB.prepare('SELECT action FROM audit_log').all<{ action: string }>(),
  }))
  expect(user).toMatchObject({ username: 'First.One', email_key: 'first@house.example', role: 'administrator' })
  expect((await verifyPassword('a desk of one’s own', user?.password_hash ?? null)).matches).toBe(true)
  expect(audit.results.map(({ action }) => action)).toEqual(['administrator.made'])
}, 120_000)

test('a short password is refused', () => {
  const { status, stderr } = create(['--username', 'second', '--email', 'second@house.example'], 'too short')
  expect([status, stderr.trim()]).toEqual([1, "An administrator's password has 12 to 128 characters."])
}, 60_000)

test.each([
  ["rob'); DROP TABLE users;--", 'a@house.example'],
  ['fine', "a'@house.example"],
  ['fine', 'no address'],
  ['ab', 'a@house.example'],
])('%o with %o is refused', (username, email) => {
  expect(refusal({ username, email, promote: false })).not.toBe(null)
})

test('what reaches the database is quoted', () => {
  expect(statements({ username: "o'x", email: 'a@b.co', promote: false }, 'h', 1)).toContain("'o''x'")
})
