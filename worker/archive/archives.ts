import { and, desc, eq, lte, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { recordAudit } from '../audit/audit'
import type { Archive } from '../contract/archives'
import { type BatchResult, batchResult } from '../db/cleanup-batches'
import { type Db, openDb, prepare } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { DAY_MS, MINUTE_MS, type Millis, SECOND_MS, toIso, utcDay } from '../lib/clock'
import { newId } from '../lib/crypto'
import { limits } from '../limits'
import { createJobHandler } from '../queue-handler'
import { users } from '../users/users.table'
import { type AgeFile, startAgeFile } from './age'
import { archives } from './archives.table'
import { type ArchiveDeps, archiveKey, deletePrefix, firstProgress, runArchiveStep, stagingPrefix } from './steps'

const STALE_MS: Millis = limits.archiveStepTimeoutMinutes * MINUTE_MS

type ArchiveRequest = { actorId: number | null; passphrase?: string | undefined; at: Millis }

/** Inserts an archive's row, audited if `actorId` is set, and returns its id. `continueArchive` writes the file. */
export async function startArchive(db: Db, { actorId, passphrase, at }: ArchiveRequest): Promise<string> {
  const id = newId('archive')
  const progress = await firstProgress(db)
  const age: AgeFile | null = passphrase === undefined ? null : startAgeFile(passphrase)
  await db.$client.batch([
    prepare(
      db,
      db.insert(archives).values({
        id,
        requestedBy: actorId,
        createdAt: at,
        updatedAt: at,
        progress: JSON.stringify(progress),
        ageHeader: age && Buffer.from(age.header).toString('base64'),
        ageKey: age && Buffer.from(age.key).toString('base64'),
      }),
    ),
    ...(actorId === null
      ? []
      : [recordAudit(db, { actorId, action: 'archive.requested', subject: `archive:${id}`, at })]),
  ])
  return id
}

const archiveQuery = (db: Db) =>
  db
    .select({
      id: archives.id,
      state: archives.state,
      requestedBy: users.username,
      requestedAt: archives.createdAt,
      ageHeader: archives.ageHeader,
      rows: archives.rows,
      files: archives.files,
      sizeBytes: archives.sizeBytes,
      expiresAt: archives.expiresAt,
    })
    .from(archives)
    .leftJoin(users, eq(users.id, archives.requestedBy))
    .$dynamic()

const toArchive = ({
  requestedAt,
  expiresAt,
  ageHeader,
  ...row
}: Awaited<ReturnType<typeof archiveQuery>>[number]): Archive => ({
  ...row,
  requestedAt: toIso(requestedAt),
  expiresAt: toIso(expiresAt),
  encrypted: ageHeader !== null,
})

/** The latest archives, newest first. */
export async function listArchives(db: Db): Promise<Archive[]> {
  const rows = await archiveQuery(db).orderBy(desc(archives.createdAt)).limit(limits.maxArchivesListed)
  return rows.map(toArchive)
}

/**
 * Starts an archive for an admin; the route sends the queue message.
 * @throws AppError `conflict` while another is being written.
 */
export async function requestArchive(db: Db, request: ArchiveRequest): Promise<Archive> {
  if ((await db.$count(archives, eq(archives.state, 'running'))) > 0)
    throw new AppError('conflict', 'An archive is already in progress. Wait until it is ready.')
  const id = await startArchive(db, request)
  const [row] = await archiveQuery(db).where(eq(archives.id, id))
  return toArchive(row!)
}

/** R2 key and download name of a ready archive. @throws AppError `not_found`. */
export async function findArchive(db: Db, id: string): Promise<{ key: string; fileName: string }> {
  const [row] = await db
    .select()
    .from(archives)
    .where(and(eq(archives.id, id), eq(archives.state, 'ready')))
  if (!row) throw new AppError('not_found', 'There is no such archive, or it has expired.')
  const day = utcDay(row.createdAt)
  return { key: archiveKey(row), fileName: `archive-${day}.tar${row.ageHeader === null ? '' : '.age'}` }
}

/**
 * Runs steps of an archive until it is ready or has failed, or `until` has passed; returns false if steps remain. A
 * worker that crashes loses one step. If two workers run a step, only one result is saved.
 * @throws errors of D1 and R2; the next call repeats the step.
 */
export async function continueArchive(
  deps: ArchiveDeps,
  id: string,
  { now = Date.now, until = Number.POSITIVE_INFINITY }: { now?: () => Millis; until?: Millis } = {},
): Promise<boolean> {
  for (;;) {
    const [row] = await deps.db.select().from(archives).where(eq(archives.id, id))
    if (row?.state !== 'running') return true
    await runArchiveStep(deps, row, now())
    if (now() >= until) return false
  }
}

const ArchiveMessage = z.object({ kind: z.literal('archive'), id: z.string() })
type ArchiveJob = z.infer<typeof ArchiveMessage>

/** Time limit per queue message; another message continues the archive. */
const MESSAGE_BUDGET_MS: Millis = 20 * SECOND_MS

/** Continues an archive for `MESSAGE_BUDGET_MS`, then sends another message. A daily job deletes failed archives. */
export const archiveHandler = createJobHandler({
  schema: ArchiveMessage,
  retrySeconds: limits.exportLeaseSeconds,
  async run(job, env, now) {
    const deps = { db: openDb(env.DB), files: env.FILES, secret: env.SIGNING_SECRET }
    const isFinished = await continueArchive(deps, job.id, { now, until: now() + MESSAGE_BUDGET_MS })
    if (!isFinished) await env.EXPORTS.send(job)
    return true
  },
  fail: ({ id }, { DB }) =>
    openDb(DB)
      .update(archives)
      .set({ state: 'failed', ageKey: null })
      .where(and(eq(archives.id, id), eq(archives.state, 'running'))),
})

/** Five-minute job: sends another queue message for archives without progress. A duplicate has no effect. */
export async function requeueArchives(db: Db, queue: Queue<ArchiveJob>, at: Millis): Promise<void> {
  const staleArchives = await db
    .select({ id: archives.id })
    .from(archives)
    .where(and(eq(archives.state, 'running'), lte(archives.updatedAt, at - STALE_MS)))
  for (const { id } of staleArchives) await queue.send({ kind: 'archive', id })
}

/**
 * Daily job: starts the weekly archive if it is due; an archive made on the command line counts as one. The five-minute
 * job sends its message.
 */
export async function startWeeklyArchive({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  const [last] = await db
    .select({ createdAt: archives.createdAt })
    .from(archives)
    .where(sql`${archives.requestedBy} IS NULL AND ${archives.state} <> 'failed'`)
    .orderBy(desc(archives.createdAt))
    .limit(1)
  // Half a day of tolerance, because the daily job does not run at the same time every day.
  if (last && last.createdAt > at - limits.archiveIntervalDays * DAY_MS + DAY_MS / 2)
    return { affected: 0, more: false }
  await startArchive(db, { actorId: null, at })
  return { affected: 1, more: false }
}

const DELETE_BATCH = 20

/** Daily job: deletes expired archives, and failed ones after a day. */
export async function deleteExpiredArchives({ db, files }: ArchiveDeps, at: Millis): Promise<BatchResult> {
  const rows = await db
    .select()
    .from(archives)
    .where(
      sql`(${archives.state} = 'ready' AND ${archives.expiresAt} <= ${at})
        OR (${archives.state} = 'failed' AND ${archives.updatedAt} <= ${at - DAY_MS})`,
    )
    .limit(DELETE_BATCH)
  for (const row of rows) {
    if (row.uploadId)
      await files
        .resumeMultipartUpload(archiveKey(row), row.uploadId)
        .abort()
        .catch(() => undefined)
    // Files before the row, so that a crash leaves a row to retry.
    await files.delete(archiveKey(row))
    await deletePrefix(files, stagingPrefix(row.id))
  }
  if (rows.length === 0) return { affected: 0, more: false }
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const [, , deleted] = await db.$client.batch(
    [
      'DELETE FROM archive_entries WHERE archive_id IN (SELECT value FROM json_each(?1))',
      'DELETE FROM archive_parts WHERE archive_id IN (SELECT value FROM json_each(?1))',
      'DELETE FROM archives WHERE id IN (SELECT value FROM json_each(?1)) RETURNING id',
    ].map((statement) => db.$client.prepare(statement).bind(ids)),
  )
  return batchResult(deleted, DELETE_BATCH)
}
