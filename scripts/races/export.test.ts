import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { openSession } from '../../worker/auth/sessions'
import type { ExportFile } from '../../worker/contract/exports'
import { furnish } from '../../worker/testing/furnish'
import { ensureSecrets, migrate, untilServed, withLocal } from '../tools/local'
import { freePort } from '../tools/ports'
import { kill, pause, serve } from './mortal'

// A fifth of the size. In full: `ROWS=1000000 npx vitest run scripts/races/export.test.ts`.
const rows = Number(process.env.ROWS ?? 200_000)
const state = `.wrangler/export-${process.pid}`
afterAll(() => rmSync(state, { recursive: true, force: true }))

test('a server that is killed half-way through an export leaves nothing to be seen, and the next one finishes it', async () => {
  ensureSecrets()
  await migrate(state)
  const cookie = await withLocal(state, async ({ DB, SESSIONS }) => {
    await furnish(DB)
    await DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, created_at)
       SELECT 'row' || i, 'reader' || i || '@mail.example', 'reader' || i || '@mail.example', 'confirmed', 'v', 0, i FROM n`,
    )
      .bind(rows)
      .run()
    const desk = await DB.prepare(
      "INSERT INTO users (username, username_key, role, created_at, last_active_at) VALUES ('desk', 'desk', 'administrator', 0, 0) RETURNING id",
    ).first<{ id: number }>()
    const { token } = await openSession(SESSIONS, 'administrator', { userId: desk?.id ?? 0, epoch: 0 }, Date.now())
    return `admin=${token}`
  })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const headers = { cookie, origin, 'content-type': 'application/json' }
  const newest = async () => {
    const files = (await (await fetch(`${origin}/api/admin/exports`, { headers })).json()) as ExportFile[]
    return files[0] as ExportFile
  }
  const until = async (wanted: ExportFile['state']): Promise<ExportFile> => {
    for (let file = await newest(); ; file = await newest()) {
      if (file.state === wanted) return file
      if (file.state === 'ready' || file.state === 'failed') throw new Error(`The export is ${file.state} already.`)
      await pause(5)
    }
  }
  let child = serve(state, port)
  try {
    await untilServed(origin)
    const asked = await fetch(`${origin}/api/admin/exports`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ kind: 'newsletter' }),
    })
    const { id } = (await asked.json()) as ExportFile
    await until('running')
    await kill(child)

    // Half-way: an upload was begun, and nothing came of it.
    const left = await withLocal(state, async ({ DB, FILES }) => {
      const row = await DB.prepare('SELECT state, sha256 FROM exports').first()
      const { objects } = await FILES.list({ prefix: 'exports/' })
      // A minute later: whoever was at it is taken for dead.
      await DB.prepare('UPDATE exports SET leased_until = 1, requested_at = 1').run()
      return { row, objects: objects.length }
    })
    expect(left).toEqual({ row: { state: 'running', sha256: null }, objects: 0 })

    child = serve(state, port)
    await untilServed(origin)
    expect((await fetch(`${origin}/api/admin/exports/${id}/file`, { headers })).status).toBe(404)
    await fetch(`${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent('*/5 * * * *')}&time=${Date.now()}`)
    const ready = await until('ready')
    const bytes = Buffer.from(await (await fetch(`${origin}/api/admin/exports/${id}/file`, { headers })).arrayBuffer())
    const text = bytes.toString()
    expect(ready).toMatchObject({ id, rows, sizeBytes: bytes.length })
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(ready.sha256)
    expect(text.match(/\r\n/g)).toHaveLength(rows + 1)
    expect(text.endsWith('\r\n')).toBe(true)
    for (const one of [1, rows >> 1, rows]) expect(text).toContain(`"reader${one}@mail.example"`)
  } finally {
    await kill(child).catch(() => undefined)
  }
}, 300_000)
