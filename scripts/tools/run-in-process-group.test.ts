import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runInProcessGroup } from './run-in-process-group'

test('returns stdout and throws stderr', async () => {
  expect(await runInProcessGroup('sh', ['-c', 'echo out'], 5_000)).toBe('out\n')
  await expect(runInProcessGroup('sh', ['-c', 'echo wrong >&2; exit 3'], 5_000)).rejects.toThrow('wrong')
  await expect(runInProcessGroup('no-such-program', [], 5_000)).rejects.toThrow('ENOENT')
})

test('a timeout ends the program and its children', async () => {
  const heartbeatFile = join(mkdtempSync(join(tmpdir(), 'group-')), 'beats')
  const script = `while :; do echo . >> ${heartbeatFile}; sleep 0.05; done >/dev/null 2>&1 & wait`
  await expect(runInProcessGroup('sh', ['-c', script], 500)).rejects.toThrow('after 0.5 s')
  const { size } = statSync(heartbeatFile)
  expect(size).toBeGreaterThan(2)
  await wait(300)
  expect(statSync(heartbeatFile).size).toBe(size)
})
