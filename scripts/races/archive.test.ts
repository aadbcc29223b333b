import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { CHANGING_PARTS } from '../../worker/archive/contents'
import { createArchive } from '../../worker/archive/create'
import { type ArchiveSource, readArchive } from '../../worker/archive/verify'
import { createSession } from '../../worker/auth/sessions'
import type { Archive } from '../../worker/contract/archives'
import { seedSite } from '../../worker/testing/seed'
import { applyMigrations, ensureSecrets, waitUntilReady, withLocal } from '../tools/local'
import { freePort } from '../tools/ports'
import { finishDespiteKills } from './kill-points'
import { killServer, startServer } from './killable-server'
import { withLocalFile } from './local-database'

// An archive made by the server while it is killed is the same as one made without a kill.

const [ROWS, FILES, KILLS] = process.env.LONG ? [200_000, 40, 10] : [10_000, 10, 2]
const FILE_BYTES = 1024 * 1024
/** After this, the scheduled job takes an archive without progress for lost. */
const AFTER_STALE_MS = 10 * 60_000
const SECRET = 'a-secret-of-this-test-0123456789-0123456789'
const state = `.wrangler/archive-${process.pid}`
afterAll(() => rmSync(state, { recursive: true, force: true }))

/** Seeds rows, files and an owner; returns the owner's cookie. */
async function prepare(): Promise<string> {
  ensureSecrets()
  return withLocal(state, async ({ DB, FILES: files, SESSIONS }) => {
    await applyMigrations(DB)
    await seedSite(DB)
    await DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at)
       SELECT 'row' || i, 'reader' || i || '@mail.example', 'reader' || i, 'confirmed', 'v', 0, i FROM n`,
    )
      .bind(ROWS)
      .run()
    for (let i = 0; i < FILES; i++) await files.put(`uploads/${i}`, new Uint8Array(FILE_BYTES).fill(i))
    const owner = await DB.prepare(
      "INSERT INTO users (username, username_key, role, created_at, last_active_at) VALUES ('owner', 'owner', 'administrator', 0, 0) RETURNING id",
    ).first<{ id: number }>()
    await DB.prepare("UPDATE team_members SET role = 'owner'").run()
    const { token } = await createSession(SESSIONS, 'administrator', { userId: owner?.id ?? 0, epoch: 0 }, Date.now())
    return `admin=${token}`
  })
}

const isReady = () =>
  withLocalFile(state, (file) => file.prepare("SELECT 1 FROM archives WHERE state <> 'ready'").get() === undefined)

const opened = (bytes: Uint8Array): ArchiveSource => ({
  async *open() {
    yield bytes
  },
})

/** SHA-256 by path of what the archive holds, each byte checked. */
async function digests(bytes: Uint8Array): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { entry, body } of readArchive(opened(bytes))) {
    for await (const _ of body);
    if (!CHANGING_PARTS.includes(entry.path.split('/')[1] ?? '')) found[entry.path] = entry.sha256
  }
  return found
}

test('an archive killed at random points holds every byte', async () => {
  const cookie = await prepare()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const headers = { cookie, origin, 'content-type': 'application/json' }
  const { server, killedAfterMs } = await finishDespiteKills({
    kills: KILLS,
    isDone: isReady,
    start: async () => {
      const child = startServer(state, port, { SIGNING_SECRET: SECRET })
      await waitUntilReady(origin)
      return child
    },
    begin: async () => {
      const response = await fetch(`${origin}/api/admin/archives`, { method: 'POST', headers, body: '{}' })
      expect(response.status).toBe(202)
    },
    resume: () =>
      fetch(
        `${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent('*/5 * * * *')}&time=${Date.now() + AFTER_STALE_MS}`,
      ),
  })
  let bytes: Uint8Array
  try {
    const [archive] = (await (await fetch(`${origin}/api/admin/archives`, { headers })).json()) as Archive[]
    expect(archive).toMatchObject({ state: 'ready', files: FILES })
    const file = await fetch(`${origin}/api/admin/archives/${archive?.id}/file`, { headers })
    bytes = new Uint8Array(await file.arrayBuffer())
    expect(bytes.length).toBe(archive?.sizeBytes)
  } finally {
    await killServer(server)
  }
  process.stdout.write(`\narchive, killed after ${killedAfterMs.join(', ')} ms\n`)
  const undisturbed = await withLocal(state, async ({ DB, FILES: files }) => {
    const { key } = await createArchive({ d1: DB, files, secret: SECRET })
    const { objects } = await files.list({ prefix: 'archives/', delimiter: '/' })
    // No part of an interrupted archive is left.
    expect((await files.list({ prefix: 'archives/' })).objects).toHaveLength(objects.length)
    return new Uint8Array(await (await files.get(key))!.arrayBuffer())
  })
  expect(await digests(bytes)).toEqual(await digests(undisturbed))
}, 600_000)
