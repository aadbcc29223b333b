import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createArchive } from '../../worker/archive/create-archive'
import type { Archive } from '../../worker/contract/archives'
import { withLocalBindings } from '../tools/bindings'
import { runFiveMinuteJobs } from '../tools/local-crons'
import { findFreePort } from '../tools/ports'
import { waitUntilReady } from '../tools/wrangler'
import { comparableDigests } from './archive-digests'
import { finishDespiteKills } from './finish-despite-kills'
import { killServer, startServer } from './killable-server'
import { seedLocalSite, seedSubscribers, withSqliteFile } from './local-database'

// A server that is repeatedly killed while it archives creates the same archive as one that is not.

const ROW_COUNT = 200_000
const FILE_COUNT = 40
const KILL_COUNT = 10
const FILE_BYTES = 1024 * 1024
/** Longer than `archiveStepTimeoutMinutes`, after which the five-minute job resumes an archive without progress. */
const STALE_AFTER_MS = 10 * 60_000
const SECRET = 'a-secret-of-this-test-0123456789-0123456789'
const stateFolder = `.wrangler/archive-${process.pid}`
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

/** Seeds rows, files and an owner; returns the owner's cookie. */
const prepare = () =>
  seedLocalSite(stateFolder, async ({ DB, FILES }) => {
    await seedSubscribers(DB, ROW_COUNT)
    for (let i = 0; i < FILE_COUNT; i++) await FILES.put(`uploads/${i}`, new Uint8Array(FILE_BYTES).fill(i))
  })

const areArchivesReady = () =>
  withSqliteFile(
    stateFolder,
    (database) => database.prepare("SELECT 1 FROM archives WHERE state <> 'ready'").get() === undefined,
  )

test('an archive interrupted at random points is complete', async () => {
  const cookie = await prepare()
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const headers = { cookie, origin, 'content-type': 'application/json' }
  const { server, killedAfterMs } = await finishDespiteKills({
    kills: KILL_COUNT,
    isDone: areArchivesReady,
    startServer: async () => {
      const child = startServer(stateFolder, port, { SIGNING_SECRET: SECRET })
      await waitUntilReady(origin)
      return child
    },
    startWork: async () => {
      const response = await fetch(`${origin}/api/admin/archives`, { method: 'POST', headers, body: '{}' })
      expect(response.status).toBe(202)
    },
    resumeWork: () => runFiveMinuteJobs(origin, Date.now() + STALE_AFTER_MS),
  })
  let bytes: Uint8Array
  try {
    const [archive] = (await (await fetch(`${origin}/api/admin/archives`, { headers })).json()) as Archive[]
    expect(archive).toMatchObject({ state: 'ready', files: FILE_COUNT })
    const file = await fetch(`${origin}/api/admin/archives/${archive?.id}/file`, { headers })
    bytes = new Uint8Array(await file.arrayBuffer())
    expect(bytes.length).toBe(archive?.sizeBytes)
  } finally {
    await killServer(server)
  }
  process.stdout.write(`\narchive, killed after ${killedAfterMs.join(', ')} ms\n`)
  const uninterrupted = await withLocalBindings(stateFolder, async ({ DB, FILES: files }) => {
    const { key } = await createArchive({ d1: DB, files, secret: SECRET })
    const { objects } = await files.list({ prefix: 'archives/', delimiter: '/' })
    // Objects in subfolders would be parts of interrupted archives.
    expect((await files.list({ prefix: 'archives/' })).objects).toHaveLength(objects.length)
    return new Uint8Array(await (await files.get(key))!.arrayBuffer())
  })
  expect(await comparableDigests(bytes)).toEqual(await comparableDigests(uninterrupted))
}, 600_000)
