import { and, inArray, lte, sql } from 'drizzle-orm'
import { IMPORT_STATES_IN_PROGRESS } from '../contract/imports'
import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult } from '../db/cleanup-batches'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { DAY_MS, MINUTE_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { type ImportJob, importFileKey, importReportKey } from './imports'
import { imports } from './imports.table'
import { MASK_VALUES } from './process-import'

/** Five-minute job: sends another queue message for steps without progress. A duplicate has no effect. */
export async function requeueImports(db: Db, queue: Queue<ImportJob>, at: Millis): Promise<void> {
  const staleImports = await db
    .select({ id: imports.id, stepId: imports.stepId })
    .from(imports)
    .where(
      and(
        inArray(imports.state, [...IMPORT_STATES_IN_PROGRESS]),
        lte(imports.updatedAt, at - limits.importStepTimeoutMinutes * MINUTE_MS),
      ),
    )
  for (const { id, stepId } of staleImports) await queue.send({ kind: 'import', id, run: stepId })
}

const IMPORT_BATCH_SIZE = 100
const ROW_BATCH_SIZE = 5_000

/** Five-minute job: deletes unfinished uploads, files not imported in time, and files that an ended step left. */
export async function deleteImportFiles({ db, files }: Pick<Deps, 'db' | 'files'>, at: Millis): Promise<void> {
  const expired = await db.all<{ id: string; isFinished: number }>(
    sql`SELECT id, state IN ('imported', 'undone') AS isFinished FROM imports
      WHERE file_expires_at <= ${at} AND state NOT IN ('checking', 'importing', 'undoing') LIMIT ${IMPORT_BATCH_SIZE}`,
  )
  if (expired.length === 0) return
  // Files are deleted before their rows are updated, so that the next run retries after a crash. Reports of finished
  // imports are retained.
  await files.delete(
    expired.flatMap(({ id, isFinished }) => [importFileKey(id), ...(isFinished ? [] : [importReportKey(id)])]),
  )
  const json = JSON.stringify(expired.map(({ id }) => id))
  await db.$client.batch([
    db.$client.prepare(MASK_VALUES).bind(json),
    db.$client
      .prepare(
        `UPDATE imports SET state = 'expired', file_expires_at = NULL, counts = NULL, headers = '[]'
         WHERE id IN (SELECT value FROM json_each(?1)) AND file_expires_at <= ?2 AND state IN ('uploading', 'uploaded', 'checked')`,
      )
      .bind(json, at),
    db.$client
      .prepare(
        `UPDATE imports SET file_expires_at = NULL, headers = '[]'
         WHERE id IN (SELECT value FROM json_each(?1)) AND file_expires_at <= ?2`,
      )
      .bind(json, at),
  ])
}

/** Daily job: deletes the rows and the report of imports that can no longer be undone. */
export async function deleteOldReports({ db, files }: Pick<Deps, 'db' | 'files'>, at: Millis): Promise<BatchResult> {
  const before = at - RETENTION.importReportDays * DAY_MS
  const old = await db.all<{ id: string }>(
    sql`SELECT id FROM imports WHERE updated_at <= ${before} AND state NOT IN ('checking', 'importing', 'undoing')
      AND (counts IS NOT NULL OR EXISTS (SELECT 1 FROM import_rows WHERE import_id = imports.id)) LIMIT ${IMPORT_BATCH_SIZE}`,
  )
  if (old.length === 0) return { affected: 0, more: false }
  const ids = JSON.stringify(old.map(({ id }) => id))
  await files.delete(old.map(({ id }) => importReportKey(id)))
  const [deleted] = await db.$client.batch([
    db.$client
      .prepare(
        `DELETE FROM import_rows WHERE rowid IN (SELECT rowid FROM import_rows
           WHERE import_id IN (SELECT value FROM json_each(?1)) LIMIT ${ROW_BATCH_SIZE}) RETURNING row`,
      )
      .bind(ids),
    db.$client
      .prepare(
        `UPDATE imports SET counts = NULL WHERE id IN (SELECT value FROM json_each(?1))
           AND NOT EXISTS (SELECT 1 FROM import_rows WHERE import_id = imports.id)`,
      )
      .bind(ids),
  ])
  const result = batchResult(deleted, ROW_BATCH_SIZE)
  return { affected: result.affected, more: result.more || old.length === IMPORT_BATCH_SIZE }
}
