import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, test } from 'vitest'
import type { Archive } from '../../worker/contract/archives'
import { findFreePort } from '../tools/ports'
import { waitUntilReady } from '../tools/wrangler'
import { killServer, sleep, startServer } from './killable-server'
import { seedLocalSite, seedSubscribers } from './local-database'

// Archives and restores a million rows and 2 GB of files. The worker's process also holds the local D1 and R2.

const ROW_COUNT = 1_000_000
const FILE_COUNT = 20
const PARTS_PER_FILE = 10
const PART_BYTES = 10 * 1024 * 1024
/** Limit of the second half's memory peak over the first half's, in which caches and garbage reach their usual size. */
const MAX_PEAK_RATIO = 1.3
/** Less than all rows or all files need. The resident memory also holds buffers that await garbage collection. */
const MAX_RESTORE_HEAP_MB = 200
const MAX_RESTORE_RESIDENT_MB = 1_200
const SECRET = 'a-secret-of-this-test-0123456789-0123456789'
const folder = `.wrangler/memory-${process.pid}`
const [stateFolder, restoredFolder] = [join(folder, 'site'), join(folder, 'restored')]
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Seeds rows, files and an owner; returns the owner's cookie. */
async function prepare(): Promise<string> {
  return seedLocalSite(stateFolder, async ({ DB, FILES }) => {
    await seedSubscribers(DB, ROW_COUNT)
    const part = randomBytes(PART_BYTES)
    for (let i = 0; i < FILE_COUNT; i++) {
      const upload = await FILES.createMultipartUpload(`masters/${i}`)
      const parts: R2UploadedPart[] = []
      for (let n = 1; n <= PARTS_PER_FILE; n++) {
        part.writeUInt32BE(i * PARTS_PER_FILE + n)
        parts.push(await upload.uploadPart(n, part))
      }
      await upload.complete(parts)
    }
  })
}

/** Resident memory of a process in MB; 0 once it has ended. */
function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Id of the workerd process in the process group of a server; NaN if there is none. */
function workerPid(server: ChildProcess): number {
  const found = readdirSync('/proc').find((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      // Fields after the name in parentheses: state, parent, group.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return /\(workerd\) \S+ \d+ (\d+)/.exec(stat)?.[1] === String(server.pid)
    } catch {
      return false
    }
  })
  return Number(found)
}

/** Samples the memory of a process every 50 ms until `work` is done. Returns the samples and the result of `work`. */
async function sampleMemoryDuring<T>(pid: number, work: Promise<T>): Promise<{ result: T; samplesMb: number[] }> {
  const samplesMb: number[] = []
  const timer = setInterval(() => samplesMb.push(Math.round(residentMb(pid))), 50)
  try {
    return { result: await work, samplesMb }
  } finally {
    clearInterval(timer)
  }
}

const peakOf = (samples: number[]) => samples.reduce((peak, sample) => Math.max(peak, sample), 0)

const secondsSince = (startedAt: number) => Math.round((Date.now() - startedAt) / 1000)

test('archive and restore stay within their memory limits', async () => {
  const cookie = await prepare()
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const headers = { cookie, origin, 'content-type': 'application/json' }
  const file = join(folder, 'site.tar')
  const server = startServer(stateFolder, port, { SIGNING_SECRET: SECRET })
  try {
    await waitUntilReady(origin)
    await fetch(`${origin}/`)
    const pid = workerPid(server)
    const beforeMb = Math.round(residentMb(pid))
    const newestArchive = async () =>
      ((await (await fetch(`${origin}/api/admin/archives`, { headers })).json()) as Archive[])[0]
    const startedAt = Date.now()
    const archive = async () => {
      expect((await fetch(`${origin}/api/admin/archives`, { method: 'POST', headers, body: '{}' })).status).toBe(202)
      for (let current = await newestArchive(); ; current = await newestArchive()) {
        if (current?.state !== 'running') return current
        await sleep(500)
      }
    }
    const { result, samplesMb } = await sampleMemoryDuring(pid, archive())
    const half = Math.floor(samplesMb.length / 2)
    const [earlyPeakMb, latePeakMb] = [peakOf(samplesMb.slice(0, half)), peakOf(samplesMb.slice(half))]
    expect(result).toMatchObject({ state: 'ready', files: FILE_COUNT })
    expect(result?.rows).toBeGreaterThan(ROW_COUNT)
    process.stdout.write(
      `\nMeasured: archive of ${result?.rows} rows and ${FILE_COUNT} files of ${PARTS_PER_FILE * 10} MB: ${secondsSince(startedAt)} s, worker with its stores ${beforeMb} MB before, at most ${earlyPeakMb} MB in the first half and ${latePeakMb} MB in the second\n`,
    )
    expect(latePeakMb / earlyPeakMb).toBeLessThan(MAX_PEAK_RATIO)
    const download = await fetch(`${origin}/api/admin/archives/${result?.id}/file`, { headers })
    mkdirSync(folder, { recursive: true })
    await pipeline(Readable.fromWeb(download.body as never), createWriteStream(file))
  } finally {
    await killServer(server)
  }
  rmSync(stateFolder, { recursive: true, force: true })

  const startedAt = Date.now()
  const command = spawn(process.execPath, ['scripts/restore.ts', file, '--state', restoredFolder], {
    env: { ...process.env, SIGNING_SECRET: SECRET, NODE_OPTIONS: `--max-old-space-size=${MAX_RESTORE_HEAP_MB}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [command.stdout, command.stderr]) stream.on('data', (text) => (output += text))
  const exit = new Promise<number | null>((resolve) => command.once('exit', resolve))
  const { result: code, samplesMb } = await sampleMemoryDuring(command.pid ?? 0, exit)
  const peakMb = peakOf(samplesMb)
  expect([code, output]).toEqual([0, expect.stringContaining(`and ${FILE_COUNT} files are restored`)])
  process.stdout.write(
    `\nMeasured: restore of this archive: ${secondsSince(startedAt)} s, command ${peakMb} MB at most\n`,
  )
  expect(peakMb).toBeLessThan(MAX_RESTORE_RESIDENT_MB)
}, 1_800_000)
