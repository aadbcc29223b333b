import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ensureSecrets, withLocalBindings } from './bindings'
import { runRestoreDrill } from './restore-drill'

const stateFolder = mkdtempSync(join(tmpdir(), 'restore-drill-'))
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

test('a failed drill deletes its site', async () => {
  ensureSecrets()
  await withLocalBindings(stateFolder, ({ DB }) => DB.prepare('CREATE TABLE unmigrated (id)').run())
  expect(existsSync(join(stateFolder, 'v3'))).toBe(true)
  await expect(runRestoreDrill(stateFolder, () => undefined)).rejects.toThrow(/archives/)
  expect(existsSync(join(stateFolder, 'v3'))).toBe(false)
})
