import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import type { ExportFile } from '../../worker/contract/exports'
import { runFiveMinuteJobs } from '../tools/local-crons'
import { findFreePort } from '../tools/ports'
import { waitUntilReady } from '../tools/wrangler'
import { finishDespiteKills } from './finish-despite-kills'
import { killServer, startServer } from './killable-server'
import { seedLocalSite, seedSubscribers, withSqliteFile } from './local-database'

// The rows are so wide that the export uploads several parts.
const ROW_COUNT = 1_000_000
const KILL_COUNT = 10
const stateFolder = `.wrangler/export-${process.pid}`
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

/** Number of incomplete multipart uploads, read from R2's local file: its API cannot list them. */
const countIncompleteUploads = () =>
  withSqliteFile(
    stateFolder,
    (database) => Number(database.prepare('SELECT count(*) AS n FROM _mf_multipart_uploads WHERE state = 0').get()?.n),
    { store: 'r2' },
  )

/** Id of the export that is not ready; undefined if there is none. */
const unfinishedExportId = () =>
  withSqliteFile(stateFolder, (database) => database.prepare("SELECT id FROM exports WHERE state <> 'ready'").get()?.id)

/** Expires the killed worker's lease and makes the export old enough for the five-minute job to resume it. */
const expireLease = () =>
  withSqliteFile(
    stateFolder,
    (database) =>
      database.exec("UPDATE exports SET leased_until = 1, requested_at = requested_at - 120000 WHERE state <> 'ready'"),
    { isWritable: true },
  )

/** Yields the subscriber's number in each line, undefined for the header. The file is too long for a string. */
function* subscriberNumbers(file: Buffer) {
  for (let from = 0; from < file.length; ) {
    const end = file.indexOf('\r\n', from)
    yield /^"reader(\d+)x{600}@/.exec(file.toString('utf8', from, end))?.[1]
    from = end + 2
  }
}

test('an export interrupted at random points is complete', async () => {
  const cookie = await seedLocalSite(stateFolder, ({ DB }) => seedSubscribers(DB, ROW_COUNT, 'x'.repeat(600)))
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const headers = { cookie, origin, 'content-type': 'application/json' }
  const listExports = async () =>
    (await (await fetch(`${origin}/api/admin/exports`, { headers })).json()) as readonly ExportFile[]
  let interruptedId: unknown
  const { server, killedAfterMs } = await finishDespiteKills({
    kills: KILL_COUNT,
    isDone: () => unfinishedExportId() === undefined,
    startServer: async () => {
      const child = startServer(stateFolder, port)
      await waitUntilReady(origin)
      return child
    },
    startWork: () =>
      fetch(`${origin}/api/admin/exports`, { method: 'POST', headers, body: JSON.stringify({ kind: 'newsletter' }) }),
    resumeWork: async () => {
      for (const { id, state } of await listExports()) {
        if (state === 'ready') continue
        // An unfinished export is never served.
        expect((await fetch(`${origin}/api/admin/exports/${id}/file`, { headers })).status).toBe(404)
      }
      await runFiveMinuteJobs(origin)
    },
    afterKill: () => {
      interruptedId = unfinishedExportId()
      expireLease()
    },
  })
  process.stdout.write(`\nexport, killed after ${killedAfterMs.join(', ')} ms\n`)
  try {
    const finishedExport = (await listExports()).find(({ id }) => id === interruptedId)
    const file = Buffer.from(
      await (await fetch(`${origin}/api/admin/exports/${finishedExport?.id}/file`, { headers })).arrayBuffer(),
    )
    expect(finishedExport).toMatchObject({ rows: ROW_COUNT, sizeBytes: file.length })
    expect(createHash('sha256').update(file).digest('hex')).toBe(finishedExport?.sha256)
    const numbers = [...subscriberNumbers(file)].slice(1)
    expect(numbers).toEqual(Array.from({ length: ROW_COUNT }, (_, i) => String(i + 1)))
    expect(countIncompleteUploads()).toBe(0)
  } finally {
    await killServer(server)
  }
}, 600_000)
