import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import {
  detectKind,
  IMPORT_CONSENT_VERSION,
  type Import,
  type ImportSettings,
  importKindDefinition,
  MAX_IMPORT_ROWS,
  mapColumns,
  missingFields,
} from '../contract/imports'
import { RETENTION } from '../contract/retention'
import type { Db } from '../db/client'
import type { Actor, Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, type Millis, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import { createMultipartWriter } from '../lib/multipart-upload'
import { limits } from '../limits'
import { consumeQuotas, QUOTAS, quotaUse, rateLimitedError } from '../quotas/quotas'
import { users } from '../users/users.table'
import { imports } from './imports.table'
import { openCsv, readUtf8 } from './read-csv'

type ImportDeps = Pick<Deps, 'db' | 'files'>
type UploadDeps = Pick<Deps, 'db' | 'files' | 'secret'>
type ImportAction = Actor & { id: string }
export type ImportRecord = typeof imports.$inferSelect

export const importFileKey = (id: string) => `imports/${id}.csv`
export const importReportKey = (id: string) => `imports/${id}-report.csv`
const UNDO_WINDOW_MS: Millis = RETENTION.importReportDays * DAY_MS
const importNotFoundError = () => new AppError('not_found', 'There is no such import.')

/** File name for messages and lists: the last segment of a path, without control characters. */
function fileNameOf(path: string): string {
  const lastSegment = path.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const name = lastSegment.replace(/[\u0000-\u001f\u007f]/g, '').trim()
  return name.slice(0, 120) || 'import.csv'
}

/**
 * Checks a CSV file while it streams to R2. Its row is inserted first, so that the cleanup job finds files of crashed
 * workers.
 * @throws AppError `bad_input`, without storing anything, for content that is not CSV, a file without rows, too many
 * rows or columns; `rate_limited` after a day's quota.
 */
export async function receiveImport(
  { db, files, secret }: UploadDeps,
  { bytes, name, actorId, at }: { bytes: AsyncIterable<Uint8Array>; name: string; actorId: number; at: Millis },
): Promise<Import> {
  const uses = [await quotaUse(secret, QUOTAS.importsPerAccount, String(actorId))]
  if (!(await consumeQuotas({ db }, uses, at)))
    throw rateLimitedError('You have uploaded many files today. Please continue tomorrow.', QUOTAS.importsPerAccount)
  const id = newId('import')
  const fileName = fileNameOf(name)
  await db.insert(imports).values({
    id,
    fileName,
    state: 'uploading',
    headers: [],
    mapping: {},
    requestedBy: actorId,
    createdAt: at,
    updatedAt: at,
    fileExpiresAt: at + HOUR_MS,
  })
  let multipart: R2MultipartUpload | undefined
  try {
    multipart = await files.createMultipartUpload(importFileKey(id), { httpMetadata: { contentType: 'text/csv' } })
    const writer = createMultipartWriter(multipart)
    const { headers, rows } = await writeAndCount(bytes, writer.write)
    const { sizeBytes, sha256 } = await writer.end()
    const kind = detectKind(headers)
    const mapping = kind === null ? {} : mapColumns(kind, headers)
    const fileExpiresAt = at + limits.importFileTtlHours * HOUR_MS
    const values = { headers, rows, sizeBytes, sha256, kind, mapping, fileExpiresAt, state: 'uploaded' as const }
    await db.$client.batch([
      prepareUpdate(db, values, eq(imports.id, id)),
      recordAudit(db, { actorId, action: 'import.uploaded', subject: `import:${id}`, detail: { rows }, at }),
    ])
  } catch (error) {
    // If this deletion fails, the cleanup job deletes the file after an hour.
    await multipart?.abort().catch(() => undefined)
    const isFileGone = await files.delete(importFileKey(id)).then(
      () => true,
      () => false,
    )
    if (isFileGone) await Promise.resolve(db.delete(imports).where(eq(imports.id, id))).catch(() => undefined)
    throw error
  }
  return getImport(db, id)
}

function prepareUpdate(db: Db, values: Partial<ImportRecord>, where: SQL): D1PreparedStatement {
  const { sql: text, params } = db.update(imports).set(values).where(where).toSQL()
  return db.$client.prepare(text).bind(...params)
}

/** Writes the file, and returns its headers and number of rows. @throws AppError as `readUtf8` and `openCsv`. */
async function writeAndCount(bytes: AsyncIterable<Uint8Array>, write: (bytes: Uint8Array) => Promise<void>) {
  const writtenChunks = async function* () {
    for await (const chunk of readUtf8(bytes)) {
      await write(chunk)
      yield chunk
    }
  }
  let headers: string[] | null = null
  let rows = 0
  const { records } = await openCsv(writtenChunks())
  for await (const { cells, row } of records) {
    if (headers === null) headers = cells.map((text) => text.trim().slice(0, 100))
    else if (cells.some((text) => text.trim() !== '')) rows += 1
    // Empty lines count towards the limit, because each step reads them too.
    if (row > MAX_IMPORT_ROWS + 1)
      throw new AppError(
        'bad_input',
        `This file has more than ${MAX_IMPORT_ROWS.toLocaleString('en-US')} rows. Split it into several files.`,
      )
  }
  if (!headers?.some((name) => name !== ''))
    throw new AppError('bad_input', 'The first row of this file has no column names.')
  if (rows === 0) throw new AppError('bad_input', 'This file has column names but no rows below them.')
  return { headers, rows }
}

export const importQuery = (db: Db) =>
  db
    .select({
      import: imports,
      requestedBy: users.username,
      // Another import of the same file that was not undone.
      importedBeforeAt: sql<Millis | null>`(SELECT max(earlier.finished_at) FROM imports earlier
        WHERE earlier.sha256 = ${imports.sha256} AND earlier.id <> ${imports.id} AND earlier.state = 'imported')`,
    })
    .from(imports)
    .innerJoin(users, eq(users.id, imports.requestedBy))
    .$dynamic()

type ImportQueryRow = Awaited<ReturnType<typeof importQuery>>[number]

const isUndoable = ({ state, startedAt }: ImportRecord) =>
  (state === 'imported' || state === 'failed') && startedAt !== null

export function toImport({ import: row, requestedBy, importedBeforeAt }: ImportQueryRow): Import {
  const { id, fileName, sizeBytes, rows, headers, kind, mapping, stepId, cursor, counts, finishedAt, startedAt } = row
  return {
    id,
    fileName,
    sizeBytes,
    rows,
    headers,
    kind,
    run: stepId,
    counts,
    requestedBy,
    mapping: mapping as Record<string, number>,
    consentAttested: row.consentVersion !== null,
    // The API has no state for an unfinished upload.
    state: row.state === 'uploading' ? 'expired' : row.state,
    done: Math.max(0, cursor - 1),
    importedBeforeAt: toIso(importedBeforeAt),
    requestedAt: toIso(row.createdAt),
    finishedAt: toIso(finishedAt),
    undoUntil: isUndoable(row) ? toIso((startedAt ?? 0) + UNDO_WINDOW_MS) : null,
  }
}

/** @throws AppError `not_found`. */
export async function getImport(db: Db, id: string): Promise<Import> {
  const [row] = await importQuery(db).where(eq(imports.id, id))
  if (!row) throw importNotFoundError()
  return toImport(row)
}

type AuditDetail = Record<string, string | null>
type Transition = ImportAction & {
  from: readonly ImportRecord['state'][]
  values: Partial<ImportRecord>
  where?: SQL
  detail?: AuditDetail
}

/** Starts a step with an audit entry, if the import's state is in `from` and `where` holds. Returns whether it did. */
async function beginStep(db: Db, auditAction: string, transition: Transition): Promise<boolean> {
  const { id, actorId, at, from, values, where, detail } = transition
  // The cursor starts after row 1, the header.
  const step = { ...values, stepId: newId('run'), cursor: 1, position: null, updatedAt: at }
  const isReady = and(eq(imports.id, id), inArray(imports.state, [...from]), where) as SQL
  const hasStarted = sql`EXISTS (SELECT 1 FROM imports WHERE id = ${id} AND run = ${step.stepId})`
  const deleteOldRows = db.run(sql`DELETE FROM import_rows WHERE import_id = ${id} AND ${hasStarted}`).getQuery()
  const [, auditResult] = await db.$client.batch([
    prepareUpdate(db, step, isReady),
    recordAuditIfChanged(db, { actorId, action: auditAction, subject: `import:${id}`, ...(detail && { detail }), at }),
    // An undo reads the recorded rows. Other steps delete those of an earlier dry run.
    ...(values.state === 'undoing' ? [] : [db.$client.prepare(deleteOldRows.sql).bind(...deleteOldRows.params)]),
  ])
  return auditResult?.meta.changes === 1
}

/**
 * Starts a dry run with these settings. The caller sends the queue message.
 * @throws AppError `bad_input` for a missing or unknown column, `conflict` unless it can be checked, `not_found`.
 */
export async function checkImport(db: Db, action: ImportAction, settings: ImportSettings): Promise<Import> {
  const { headers, state } = await getImport(db, action.id)
  const cannotCheck = 'This file is being checked, or can no longer be checked. Wait for the check, or choose it again.'
  if (state !== 'uploaded' && state !== 'checked') throw new AppError('conflict', cannotCheck)
  const { kind, mapping, consentAttested } = settings
  const { label, fields } = importKindDefinition(kind)
  const missing = missingFields(kind, mapping)
  if (missing.length > 0)
    throw new AppError(
      'bad_input',
      `${label} needs a column for ${missing.join(' and ')}. Choose it, then check again.`,
    )
  for (const [field, column] of Object.entries(mapping))
    if (!(field in fields) || column >= headers.length)
      throw new AppError('bad_input', 'This file has no such column. Choose the columns again.')
  const consentVersion = consentAttested ? IMPORT_CONSENT_VERSION : null
  const isStarted = await beginStep(db, 'import.checked', {
    ...action,
    from: ['uploaded', 'checked'],
    values: { kind, mapping, consentVersion, state: 'checking', counts: null },
    detail: attestationOf({ kind, mapping, consentVersion }),
    where: sql`${imports.fileExpiresAt} > ${action.at}`,
  })
  return requireStarted(db, action.id, isStarted, cannotCheck)
}

/** Audit detail: kind and mapping of the file, and the confirmed version of IMPORT_CONSENT_TEXT, or null. */
const attestationOf = ({
  kind,
  mapping,
  consentVersion,
}: Pick<ImportRecord, 'kind' | 'mapping' | 'consentVersion'>) => ({
  kind,
  mapping: JSON.stringify(mapping),
  consentVersion,
})

/**
 * Starts the import with the settings of its dry run `stepId`.
 * @throws AppError `conflict` unless `stepId` is the latest dry run, `not_found`.
 */
export async function startImport(db: Db, action: ImportAction, stepId: string): Promise<Import> {
  const [checked] = await db
    .select()
    .from(imports)
    .where(and(eq(imports.id, action.id), eq(imports.stepId, stepId)))
  const isStarted = await beginStep(db, 'import.started', {
    ...action,
    from: ['checked'],
    values: { state: 'importing', startedAt: action.at, counts: null },
    where: sql`${imports.fileExpiresAt} > ${action.at} AND ${imports.stepId} = ${stepId}`,
    ...(checked && { detail: attestationOf(checked) }),
  })
  return requireStarted(
    db,
    action.id,
    isStarted,
    'This file is not ready to import, or was checked again meanwhile. Check it, or choose it again.',
  )
}

/** Starts to undo an import. @throws AppError `conflict` if it cannot be undone, `not_found`. */
export async function undoImport(db: Db, action: ImportAction): Promise<Import> {
  const isStarted = await beginStep(db, 'import.undone', {
    ...action,
    from: ['imported', 'failed'],
    values: { state: 'undoing' },
    where: sql`${imports.startedAt} > ${action.at - UNDO_WINDOW_MS}`,
  })
  return requireStarted(
    db,
    action.id,
    isStarted,
    `Only a finished import of the last ${RETENTION.importReportDays} days can be undone.`,
  )
}

async function requireStarted(db: Db, id: string, isStarted: boolean, message: string): Promise<Import> {
  const found = await getImport(db, id)
  if (!isStarted) throw new AppError('conflict', message)
  return found
}

/** Deletes a file that was not imported. @throws AppError `conflict`, `not_found`. */
export async function discardImport({ db, files }: ImportDeps, { id, actorId, at }: ImportAction): Promise<void> {
  const states = ['uploaded', 'checked', 'expired'] as const
  const isDiscardable = and(
    eq(imports.id, id),
    inArray(imports.state, states),
    sql`${imports.startedAt} IS NULL`,
  ) as SQL
  const [row] = await db.select({ id: imports.id }).from(imports).where(isDiscardable)
  if (!row) {
    await getImport(db, id)
    throw new AppError(
      'conflict',
      'Only a file that was not imported can be discarded. If it is being checked, wait for the check.',
    )
  }
  const [expired] = await db.$client.batch([
    prepareUpdate(db, { state: 'expired', fileExpiresAt: at }, isDiscardable),
    recordAuditIfChanged(db, { actorId, action: 'import.discarded', subject: `import:${id}`, at }),
  ])
  if (expired?.meta.changes !== 1) throw new AppError('conflict', 'This import has changed in the meantime.')
  // Files are deleted before the row, so that after a crash the import can be discarded again.
  await files.delete([importFileKey(id), importReportKey(id)])
  await db.$client.batch([
    db.$client.prepare('DELETE FROM import_rows WHERE import_id = ?1').bind(id),
    db.$client.prepare("DELETE FROM imports WHERE id = ?1 AND state = 'expired'").bind(id),
  ])
}

/** R2 key and name of the report. @throws AppError `not_found` before a check or import ends and after expiry. */
export async function findReport(db: Db, id: string): Promise<{ key: string; fileName: string }> {
  const { counts, fileName } = await getImport(db, id)
  if (counts === null)
    throw new AppError(
      'not_found',
      'There is no report: the check or import has not finished, or the report has expired.',
    )
  const name = fileName.replace(/\.csv$/i, '').replace(/[^\w. -]/g, '_')
  return { key: importReportKey(id), fileName: `${name} report.csv` }
}

/** Queue message of a step, whose id is `run`. Messages of earlier steps have no effect. */
export const ImportMessage = z.object({ kind: z.literal('import'), id: z.string(), run: z.string() })
export type ImportJob = z.infer<typeof ImportMessage>
