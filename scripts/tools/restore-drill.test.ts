import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ensureSecrets, withLocal } from './local'
import { drillRestore } from './restore-drill'

const state = mkdtempSync(join(tmpdir(), 'restore-drill-'))
afterAll(() => rmSync(state, { recursive: true, force: true }))

test('a failed drill deletes its site before the next run', async () => {
  ensureSecrets()
  await withLocal(state, ({ DB }) => DB.prepare('CREATE TABLE unmigrated (id)').run())
  expect(existsSync(join(state, 'v3'))).toBe(true)
  await expect(drillRestore(state, () => undefined)).rejects.toThrow(/archives/)
  expect(existsSync(join(state, 'v3'))).toBe(false)
})
