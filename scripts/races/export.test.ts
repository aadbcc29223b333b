import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { createSession } from '../../worker/auth/sessions'
import type { ExportFile } from '../../worker/contract/exports'
import { seedSite } from '../../worker/testing/seed'
import { applyMigrations, ensureSecrets, waitUntilReady, withLocal } from '../tools/local'
import { freePort } from '../tools/ports'
import { killServer, sleep, startServer } from './killable-server'

// Wide rows, so that several parts are uploaded.
const rows = process.env.LONG ? 1_000_000 : 60_000
const state = `.wrangler/export-${process.pid}`
afterAll(() => rmSync(state, { recursive: true, force: true }))

/** Seeds readers; returns an admin's cookie. */
async function prepare(): Promise<string> {
  ensureSecrets()
  return withLocal(state, async ({ DB, SESSIONS }) => {
    await applyMigrations(DB)
    await seedSite(DB)
    await DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at)
       SELECT 'row' || i, 'reader' || i || printf('%.*c', 600, 'x') || '@mail.example', 'reader' || i, 'confirmed', 'v', 0, i FROM n`,
    )
      .bind(rows)
      .run()
    const admin = await DB.prepare(
      "INSERT INTO users (username, username_key, role, created_at, last_active_at) VALUES ('admin', 'admin', 'administrator', 0, 0) RETURNING id",
    ).first<{ id: number }>()
    const { token } = await createSession(SESSIONS, 'administrator', { userId: admin?.id ?? 0, epoch: 0 }, Date.now())
    return `admin=${token}`
  })
}

/** Files of the local R2 store, incomplete uploads included. */
function blobs(): string[] {
  const folder = `${state}/v3/r2`
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\/blobs\/[^/]+$/.test(name))
}

/** Incomplete multipart uploads: R2 has no call that lists them. */
function incompleteUploads(): number {
  const folder = `${state}/v3/r2/miniflare-R2BucketObject`
  const [name] = readdirSync(folder).filter((file) => /^[0-9a-f]+\.sqlite$/.test(file))
  const stored = new DatabaseSync(`${folder}/${name}`)
  const row = stored.prepare('SELECT count(*) AS n FROM _mf_multipart_uploads WHERE state = 0').get()
  stored.close()
  return Number(row?.n)
}

/** Requests an export, kills the server after its first part, and returns what the stores hold. */
async function killDuringExport(child: ChildProcess, requestExport: () => Promise<unknown>) {
  const before = blobs().length
  // The response may never arrive.
  const response = requestExport().catch(() => undefined)
  while (blobs().length === before) await sleep(1)
  await killServer(child)
  await response
  return withLocal(state, async ({ DB, FILES }) => {
    const row = await DB.prepare(
      'SELECT id, state, sha256, upload_id AS uploadId FROM exports ORDER BY requested_at DESC LIMIT 1',
    ).first<{ id: string; state: string; sha256: string | null; uploadId: string | null }>()
    // Expire the lease of the killed worker.
    await DB.prepare('UPDATE exports SET leased_until = 1, requested_at = requested_at - 120000 WHERE id = ?1')
      .bind(row?.id)
      .run()
    const { objects } = await FILES.list({ prefix: `exports/${row?.id}` })
    return { id: '', ...row, objects: objects.map(({ key }) => key) }
  })
}

/** The reader's number of each line. At full size the file is longer than a string can be. */
function* readerNumbers(file: Buffer) {
  for (let from = 0; from < file.length; ) {
    const end = file.indexOf('\r\n', from)
    yield /^"reader(\d+)x{600}@/.exec(file.toString('utf8', from, end))?.[1]
    from = end + 2
  }
}

test('the next server finishes an export killed half-way', async () => {
  const cookie = await prepare()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const headers = { cookie, origin, 'content-type': 'application/json' }
  const requestExport = () =>
    fetch(`${origin}/api/admin/exports`, { method: 'POST', headers, body: JSON.stringify({ kind: 'newsletter' }) })
  const findExport = async (id: string) => {
    const files = (await (await fetch(`${origin}/api/admin/exports`, { headers })).json()) as ExportFile[]
    return files.find((file) => file.id === id)
  }
  let child = startServer(state, port)
  try {
    await waitUntilReady(origin)
    let interrupted = await killDuringExport(child, requestExport)
    // If the export finished before the kill, try with another one.
    for (let attempt = 1; interrupted.state === 'ready' && attempt < 5; attempt++) {
      child = startServer(state, port)
      await waitUntilReady(origin)
      interrupted = await killDuringExport(child, requestExport)
    }
    const { id } = interrupted
    expect(interrupted).toEqual({ id, state: 'running', sha256: null, uploadId: expect.any(String), objects: [] })
    expect(incompleteUploads()).toBe(1)

    child = startServer(state, port)
    await waitUntilReady(origin)
    expect((await findExport(id))?.state).not.toBe('ready')
    expect((await fetch(`${origin}/api/admin/exports/${id}/file`, { headers })).status).toBe(404)
    await fetch(`${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent('*/5 * * * *')}&time=${Date.now()}`)
    let done = await findExport(id)
    for (; done?.state !== 'ready'; done = await findExport(id)) await sleep(50)

    const file = Buffer.from(await (await fetch(`${origin}/api/admin/exports/${id}/file`, { headers })).arrayBuffer())
    expect(done).toMatchObject({ rows, sizeBytes: file.length })
    expect(createHash('sha256').update(file).digest('hex')).toBe(done.sha256)
    const emails = [...readerNumbers(file)].slice(1)
    expect(emails).toEqual(Array.from({ length: rows }, (_, i) => String(i + 1)))
    expect(incompleteUploads()).toBe(0)
  } finally {
    await killServer(child).catch(() => undefined)
  }
}, 300_000)
