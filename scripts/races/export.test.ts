import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { createSession } from '../../worker/auth/sessions'
import type { ExportFile } from '../../worker/contract/exports'
import { seedSite } from '../../worker/testing/seed'
import { ensureSecrets, migrate, waitUntilReady, withLocal } from '../tools/local'
import { freePort } from '../tools/ports'
import { killServer, sleep, startServer } from './kill-server'

// A tenth of the size in rows as wide as addresses may be, so that there are parts to die between. In full:
// `ROWS=1000000 npx vitest run scripts/races/export.test.ts`.
const rows = Number(process.env.ROWS ?? 100_000)
const state = `.wrangler/export-${process.pid}`
afterAll(() => rmSync(state, { recursive: true, force: true }))

/** So many readers, and an administrator's cookie. */
async function prepare(): Promise<string> {
  ensureSecrets()
  await migrate(state)
  return withLocal(state, async ({ DB, SESSIONS }) => {
    await seedSite(DB)
    await DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at)
       SELECT 'row' || i, 'reader' || i || printf('%.*c', 600, 'x') || '@mail.example', 'reader' || i, 'confirmed', 'v', 0, i FROM n`,
    )
      .bind(rows)
      .run()
    const desk = await DB.prepare(
      "INSERT INTO users (username, username_key, role, created_at, last_active_at) VALUES ('desk', 'desk', 'administrator', 0, 0) RETURNING id",
    ).first<{ id: number }>()
    const { token } = await createSession(SESSIONS, 'administrator', { userId: desk?.id ?? 0, epoch: 0 }, Date.now())
    return `admin=${token}`
  })
}

/** The files in which the local R2 keeps bytes, of uploads that are not completed too. */
function blobs(): string[] {
  const folder = `${state}/v3/r2`
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\/blobs\/[^/]+$/.test(name))
}

/** How many uploads the local R2 holds that were neither completed nor given up: no call of R2's lists them. */
function uploadsUnderWay(): number {
  const folder = `${state}/v3/r2/miniflare-R2BucketObject`
  const [name] = readdirSync(folder).filter((file) => /^[0-9a-f]+\.sqlite$/.test(file))
  const stored = new DatabaseSync(`${folder}/${name}`)
  const row = stored.prepare('SELECT count(*) AS n FROM _mf_multipart_uploads WHERE state = 0').get()
  stored.close()
  return Number(row?.n)
}

/** Asks for an export and kills the server when a part of it has arrived. Answers with what stands in its stores. */
async function killedHalfWay(child: ChildProcess, ask: () => Promise<unknown>) {
  const before = blobs().length
  // The answer may come when all is done, or never.
  const asked = ask().catch(() => undefined)
  while (blobs().length === before) await sleep(1)
  await killServer(child)
  await asked
  return withLocal(state, async ({ DB, FILES }) => {
    const row = await DB.prepare(
      'SELECT id, state, sha256, upload_id AS uploadId FROM exports ORDER BY requested_at DESC LIMIT 1',
    ).first<{ id: string; state: string; sha256: string | null; uploadId: string | null }>()
    // A minute later: whoever was at it is taken for dead.
    await DB.prepare('UPDATE exports SET leased_until = 1, requested_at = requested_at - 120000 WHERE id = ?1')
      .bind(row?.id)
      .run()
    const { objects } = await FILES.list({ prefix: `exports/${row?.id}` })
    return { id: '', ...row, objects: objects.map(({ key }) => key) }
  })
}

test('a server that is killed half-way through an export leaves nothing to be seen, and the next one finishes it', async () => {
  const cookie = await prepare()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const headers = { cookie, origin, 'content-type': 'application/json' }
  const ask = () =>
    fetch(`${origin}/api/admin/exports`, { method: 'POST', headers, body: JSON.stringify({ kind: 'newsletter' }) })
  const findExport = async (id: string) => {
    const files = (await (await fetch(`${origin}/api/admin/exports`, { headers })).json()) as ExportFile[]
    return files.find((one) => one.id === id)
  }
  let child = startServer(state, port)
  try {
    await waitUntilReady(origin)
    let left = await killedHalfWay(child, ask)
    // Where this process was not let at it in time the file is whole: another one is asked for.
    for (let tries = 1; left.state === 'ready' && tries < 5; tries++) {
      child = startServer(state, port)
      await waitUntilReady(origin)
      left = await killedHalfWay(child, ask)
    }
    const { id } = left
    expect(left).toEqual({ id, state: 'running', sha256: null, uploadId: expect.any(String), objects: [] })
    expect(uploadsUnderWay()).toBe(1)

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
    const emails = file
      .toString()
      .split('\r\n')
      .slice(1, -1)
      .map((line: string) => /^"reader(\d+)x{600}@/.exec(line)?.[1])
    expect(emails).toEqual(Array.from({ length: rows }, (_, i) => String(i + 1)))
    expect(uploadsUnderWay()).toBe(0)
  } finally {
    await killServer(child).catch(() => undefined)
  }
}, 300_000)
