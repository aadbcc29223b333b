import { createSession } from '../worker/auth/sessions'
import { exportsApi } from '../worker/contract/exports'
import type { Env } from '../worker/env'
import { runExport } from '../worker/exports/exports'

/** So many rows to export and no other: readers of the newsletter, whose addresses have to be quoted. */
export async function seedRows(db: D1Database, rows: number): Promise<void> {
  await db.prepare('DELETE FROM subscribers').run()
  for (let from = 0; from < rows; from += 100_000)
    await db
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT ?1 + 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
         INSERT INTO subscribers (id, email, email_key, state, consent_version, consent_at, confirmed_at, created_at)
         SELECT 'row_' || CAST(i AS INTEGER), 'reader' || CAST(i AS INTEGER) || '@mail.example',
           'reader' || CAST(i AS INTEGER) || '@mail.example', 'confirmed', '2026-11', i, i, i FROM n`,
      )
      .bind(from, Math.min(rows, from + 100_000))
      .run()
}

/** Bytes and how long they took, in milliseconds. */
export type WriteTime = { bytes: number; millis: number }

/** One export as the queue's consumer writes it, and nothing else. */
export async function writeExport(db: D1Database, files: R2Bucket, rows: number): Promise<WriteTime> {
  const { id, ...written } = await createExport(db, files, rows)
  await files.delete(`exports/${id}.csv`)
  return written
}

async function createExport(db: D1Database, files: R2Bucket, rows: number): Promise<WriteTime & { id: string }> {
  const id = `bench-${crypto.randomUUID()}`
  await db.batch([
    db.prepare(
      `INSERT INTO users (username, username_key, role, created_at, last_active_at)
       VALUES ('exporter', 'exporter', 'administrator', 0, 0) ON CONFLICT DO NOTHING`,
    ),
    db
      .prepare(
        `INSERT INTO exports (id, kind, requested_by, requested_at)
         SELECT ?1, 'newsletter', id, 0 FROM users WHERE username_key = 'exporter'`,
      )
      .bind(id),
  ])
  const began = performance.now()
  await runExport({ db, files }, id, Date.now)
  const millis = performance.now() - began
  const made = await db
    .prepare('SELECT state, rows, size_bytes AS bytes FROM exports WHERE id = ?1')
    .bind(id)
    .first<{ state: string; rows: number; bytes: number }>()
  if (made?.state !== 'ready' || made.rows !== rows) throw new Error(`${made?.rows} of ${rows} rows: ${made?.state}.`)
  return { id, bytes: made.bytes, millis }
}

/**
 * From an administrator's request for a ready file, whole app, to its first bytes, in milliseconds: so many times, and the
 * rest of the file is not waited for.
 */
export async function firstByteTimes(
  env: Env,
  rows: number,
  times: number,
  ask: (request: Request, env: Env) => Promise<Response>,
): Promise<number[]> {
  const { id } = await createExport(env.DB, env.FILES, rows)
  const person = await env.DB.prepare("SELECT id FROM users WHERE username_key = 'exporter'").first<{ id: number }>()
  const claim = { userId: person?.id ?? 0, epoch: 0 }
  const { token } = await createSession(env.SESSIONS, 'administrator', claim, Date.now())
  const address = `https://bench.example${exportsApi.file.path.replace(':id', id)}`
  const took: number[] = []
  for (let time = 0; time < times; time++) {
    const began = performance.now()
    const response = await ask(new Request(address, { headers: { cookie: `__Host-admin=${token}` } }), env)
    const reader = response.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    if (response.status !== 200 || !value?.length) throw new Error(`A ready file: ${response.status}.`)
    took.push(performance.now() - began)
    await reader?.cancel()
  }
  await env.FILES.delete(`exports/${id}.csv`)
  return took
}

/** The floor: as many bytes in parts as large, that were there before. */
export async function writeRaw(files: R2Bucket, bytes: number): Promise<WriteTime> {
  const part = new Uint8Array(5 * 1024 * 1024)
  const began = performance.now()
  const upload = await files.createMultipartUpload('bench/raw')
  const sent: R2UploadedPart[] = []
  for (let left = bytes; left > 0; left -= part.length)
    sent.push(await upload.uploadPart(sent.length + 1, part.slice(0, Math.min(left, part.length))))
  await upload.complete(sent)
  const millis = performance.now() - began
  await files.delete('bench/raw')
  return { bytes, millis }
}
