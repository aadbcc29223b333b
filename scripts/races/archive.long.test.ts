import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { CHANGING_SECTIONS } from '../../worker/archive/contents'
import { createArchive } from '../../worker/archive/create-archive'
import { type ArchiveSource, readArchive } from '../../worker/archive/verify'
import type { Archive } from '../../worker/contract/archives'
import { findFreePort } from '../tools/ports'
import { waitUntilReady, withLocalBindings } from '../tools/wrangler'
import { finishDespiteKills } from './finish-despite-kills'
import { killServer, startServer } from './killable-server'
import { seedLocalSite, withLocalFile } from './local-database'

// A server that is repeatedly killed while it archives creates the same archive as one that is not.

const ROW_COUNT = 200_000
const FILE_COUNT = 40
const KILL_COUNT = 10
const FILE_BYTES = 1024 * 1024
/** After this time without progress, the five-minute job restarts an archive. */
const STALE_AFTER_MS = 10 * 60_000
const SECRET = 'a-secret-of-this-test-0123456789-0123456789'
const stateFolder = `.wrangler/archive-${process.pid}`
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }))

/** Seeds rows, files and an owner; returns the owner's cookie. */
const prepare = () =>
  seedLocalSite(stateFolder, async ({ DB, FILES }) => {
    await DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at)
       SELECT 'row' || i, 'reader' || i || '@mail.example', 'reader' || i, 'confirmed', 'v', 0, i FROM n`,
    )
      .bind(ROW_COUNT)
      .run()
    for (let i = 0; i < FILE_COUNT; i++) await FILES.put(`uploads/${i}`, new Uint8Array(FILE_BYTES).fill(i))
  })

const areArchivesReady = () =>
  withLocalFile(
    stateFolder,
    (file) => file.prepare("SELECT 1 FROM archives WHERE state <> 'ready'").get() === undefined,
  )

const sourceOf = (bytes: Uint8Array): ArchiveSource => ({
  async *open() {
    yield bytes
  },
})

/** The SHA-256 of each file in the archive, by path, without the parts that differ between archives. */
async function comparableDigests(bytes: Uint8Array): Promise<Record<string, string>> {
  const digestByPath: Record<string, string> = {}
  for await (const { entry, body } of readArchive(sourceOf(bytes))) {
    for await (const _ of body);
    if (!CHANGING_SECTIONS.includes(entry.path.split('/')[1] ?? '')) digestByPath[entry.path] = entry.sha256
  }
  return digestByPath
}

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
    resumeWork: () =>
      fetch(
        `${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('*/5 * * * *')}&time=${Date.now() + STALE_AFTER_MS}`,
      ),
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
