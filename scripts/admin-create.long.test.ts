import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyPassword } from '../worker/auth/password'
import { copyMigratedState } from './races/prebuilt'
import { withLocalBindings } from './tools/bindings'

const stateFolder = mkdtempSync(join(tmpdir(), 'admin-create-'))
beforeAll(() => copyMigratedState(stateFolder))
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

const runAdminCreate = (args: string[], password = 'a long enough password') =>
  spawnSync(process.execPath, ['scripts/admin-create.ts', '--state', stateFolder, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ADMIN_PASSWORD: password },
  })

test('creates an audited admin; rejects duplicates and short passwords', async () => {
  const { status, stdout } = runAdminCreate(['--username', 'First.One', '--email', 'First@site.example'])
  expect([status, stdout.trim()]).toEqual([0, 'First.One can log in at /admin-login.'])
  for (const [username, email, option, message] of [
    ['first.one', 'other@site.example', '', 'There is an account with that name already. Use --promote to make it an'],
    ['first.one', 'other@site.example', '--promote', 'No account with that name and address can be promoted'],
    ['second', 'second@site.example', '', "An administrator's password has 12 to 128 characters."],
  ] as const) {
    const args = ['--username', username, '--email', email, ...(option ? [option] : [])]
    const { status, stderr } = runAdminCreate(args, username === 'second' ? 'too short' : undefined)
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)])
  }
  const { user, roles, audit } = await withLocalBindings(stateFolder, async ({ DB }) => ({
    user: await DB.prepare('SELECT * FROM users').first<Record<string, string>>(),
    roles: await DB.prepare('SELECT role FROM team_members').raw(),
    audit: await DB.prepare('SELECT action FROM audit_log').raw(),
  }))
  expect(user).toMatchObject({ username: 'First.One', email_key: 'first@site.example', role: 'administrator' })
  expect((await verifyPassword('a long enough password', user?.password_hash ?? null)).matches).toBe(true)
  expect([roles, audit]).toEqual([[['owner']], [['administrator.made']]])
}, 120_000)
