import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('tables in code match the migrations', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'migrations-'))
  try {
    await cp('migrations', copy, { recursive: true })
    const before = await readdir(copy)
    const tool = 'node_modules/drizzle-kit/bin.cjs'
    // drizzle-kit resolves its folder from the working directory, even for absolute paths.
    const options = ['--dialect', 'sqlite', '--schema', './worker/**/*.table.ts', '--out', relative('.', copy)]
    const { stdout } = await promisify(execFile)(process.execPath, [tool, 'generate', ...options])
    expect(stdout).toContain('No schema changes')
    expect(await readdir(copy)).toEqual(before)
  } finally {
    await rm(copy, { recursive: true })
  }
}, 20_000)
