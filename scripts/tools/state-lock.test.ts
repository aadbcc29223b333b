import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sleep } from '../races/killable-server'
import { lockState } from './state-lock'

const stateFolder = mkdtempSync(join(tmpdir(), 'state-lock-'))
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

test('only one process at a time locks a state folder', async () => {
  const folder = join(stateFolder, 'lock')
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const lock = lockState(folder, 8080)
  // As if the other process had locked the folder.
  writeFileSync(join(folder, 'lock.json'), JSON.stringify({ pids: [other.pid], port: 8080 }))
  expect(() => lockState(folder)).toThrow(`(process ${other.pid}) is running on ${folder} at http://localhost:8080`)
  const exited = new Promise((resolve) => other.once('exit', resolve))
  other.kill('SIGKILL')
  await exited
  await sleep(50)
  lockState(folder).release()
  lock.release()
  expect(() => lockState(folder).release()).not.toThrow()
})

/** Reads a start time from stdin, then tries to lock a new folder every 20 ms. Prints its lock count. */
const RACER_SOURCE = `
  import { lockState } from ${JSON.stringify(new URL('./state-lock.ts', import.meta.url).href)}
  const [folder, rounds] = process.argv.slice(1)
  console.log('ready')
  const startAt = await new Promise((resolve) => process.stdin.once('data', resolve))
  let won = 0
  for (let round = 0; round < Number(rounds); round++) {
    while (Date.now() < Number(startAt) + round * 20);
    try {
      lockState(folder + '/' + round, 8080)
      won++
    } catch (error) {
      if (!error.message.includes('is running on')) throw error
    }
  }
  console.log('won ' + won)
`

test.each(['no', 'a stale'])(
  'one of three processes locks a folder with %s lock',
  async (existing) => {
    const rounds = 40
    const folder = join(stateFolder, `race-${existing}`)
    const { pid: deadPid } = spawnSync(process.execPath, ['-e', ''])
    for (let round = 0; round < rounds; round++) {
      mkdirSync(join(folder, String(round)), { recursive: true })
      if (existing === 'a stale')
        writeFileSync(join(folder, String(round), 'lock.json'), JSON.stringify({ pids: [deadPid], port: 1 }))
    }
    const args = ['--input-type=module', '-e', RACER_SOURCE, folder, String(rounds)]
    const racers = Array.from({ length: 3 }, () =>
      spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    await Promise.all(racers.map(({ stdout }) => once(stdout, 'data')))
    const startAt = String(Date.now() + 50)
    for (const { stdin } of racers) stdin.write(startAt)
    const lockCounts = await Promise.all(
      racers.map(async ({ stdout }) => Number(/won (\d+)/.exec(String((await once(stdout, 'data'))[0]))?.[1])),
    )
    for (const { stdin } of racers) stdin.end()
    expect(lockCounts.reduce((sum, n) => sum + n)).toBe(rounds)
  },
  60_000,
)
