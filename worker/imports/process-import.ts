import { and, eq, inArray, sql } from 'drizzle-orm'
import { IMPORT_REASONS, IMPORT_STATES_IN_PROGRESS, UNDO_EXCEPTIONS } from '../contract/imports'
import { type Db, openDb } from '../db/client'
import type { Deps } from '../deps'
import type { CsvColumn } from '../exports/csv'
import type { ExportSource } from '../exports/sources'
import { writeCsv } from '../exports/write-csv'
import { type Millis, SECOND_MS } from '../lib/clock'
import { limits } from '../limits'
import { createJobHandler } from '../queue-handler'
import { applyBatch, countRows, type ImportStep, undoBatch } from './batches'
import { ImportMessage, type ImportRecord, importFileKey, importReportKey } from './imports'
import { imports } from './imports.table'
import { createRowReader, type ParsedRow } from './parse-rows'
import { type CsvPosition, openCsv } from './read-csv'

type StepDeps = Pick<Deps, 'db' | 'files' | 'secret'>
type StepOptions = { now: () => Millis; until: Millis }

type ImportInProgress = ImportRecord & { state: (typeof IMPORT_STATES_IN_PROGRESS)[number] }
const isInProgress = (row: ImportRecord): row is ImportInProgress =>
  IMPORT_STATES_IN_PROGRESS.some((state) => state === row.state)

/**
 * Processes batches of the current step until it is finished or `until` has passed. Returns false if the time is over;
 * true if the step is finished, has failed, was started again, or is continued by another worker.
 * @throws errors of D1 and R2; the next call repeats the batch, as after a crash.
 */
async function continueImport(
  deps: StepDeps,
  { id, stepId }: Pick<ImportRecord, 'id' | 'stepId'>,
  options: StepOptions,
): Promise<boolean> {
  const [importRecord] = await deps.db
    .select()
    .from(imports)
    .where(and(eq(imports.id, id), eq(imports.stepId, stepId)))
  if (!importRecord || !isInProgress(importRecord)) return true
  const result =
    importRecord.state === 'undoing'
      ? await undoRows(deps.db, importRecord, options)
      : await importRows(deps, importRecord, options)
  if (result === 'stopped') return true
  if (result === 'timed out') return false
  await finishStep(deps, importRecord, options.now)
  return true
}

/** Size of the hashes that `applyBatch` adds to each row. */
const HASH_BYTES = 100
/** `stopped`: the step failed or was started again, or another worker continues it. */
type StepResult = 'done' | 'timed out' | 'stopped'

async function importRows(
  deps: StepDeps,
  importRecord: ImportRecord,
  { now, until }: StepOptions,
): Promise<StepResult> {
  const { id, kind, mapping, headers, stepId, createdAt, position, sizeBytes } = importRecord
  // All rows were processed already. R2 rejects a range that starts at the end of the file.
  if (position && position.offset >= sizeBytes) return 'done'
  const file = await deps.files.get(importFileKey(id), { range: { offset: position?.offset ?? 0 } })
  if (!file || kind === null) {
    await failStep(deps.db, importRecord, now())
    return 'stopped'
  }
  const step: ImportStep = {
    id,
    kind,
    stepId,
    isDryRun: importRecord.state === 'checking',
    startedAt: importRecord.startedAt ?? createdAt,
  }
  const reader = createRowReader({
    kind,
    mapping,
    columnCount: headers.length,
    uploadedAt: createdAt,
    consentAttested: importRecord.consentVersion !== null,
  })
  const { delimiter, records } = await openCsv(file.body, position ?? undefined)
  let cursor = importRecord.cursor
  let next: CsvPosition | null = null
  let batch: ParsedRow[] = []
  let batchBytes = 0
  const apply = async (to: number) => {
    const isApplied = await applyBatch(deps, step, { rows: batch, from: cursor, to, next, at: now() })
    batch = []
    batchBytes = 0
    cursor = to
    return isApplied
  }
  for await (const { cells, row: rowNumber, start, end } of records) {
    // The first row is the header.
    const parsed = rowNumber === 1 ? null : reader.read(rowNumber, cells)
    // The next message starts at an order's first line, which has the cells that the order's other lines omit.
    const orderRow = reader.orderRow()
    if (orderRow === null) next = { row: rowNumber + 1, offset: end, delimiter }
    else if (orderRow === rowNumber) next = { row: rowNumber, offset: start, delimiter }
    if (parsed === null || rowNumber <= importRecord.cursor) continue
    batch.push(parsed)
    batchBytes += Buffer.byteLength(JSON.stringify(parsed)) + HASH_BYTES
    if (batch.length < limits.importBatchRows && batchBytes < limits.importBatchBytes) continue
    if (!(await apply(rowNumber))) return 'stopped'
    if (now() >= until) return 'timed out'
  }
  const lastRow = batch.at(-1)
  if (lastRow && !(await apply(lastRow.row))) return 'stopped'
  return 'done'
}

async function undoRows(db: Db, importRecord: ImportRecord, { now, until }: StepOptions): Promise<StepResult> {
  const { id, stepId } = importRecord
  const step = { id, stepId, startedAt: importRecord.startedAt ?? 0 }
  for (let from = importRecord.cursor; ; ) {
    const next = await db.$client
      .prepare(
        `SELECT max(row) AS row FROM (SELECT row FROM import_rows WHERE import_id = ?1 AND row > ?2 ORDER BY row LIMIT ?3)`,
      )
      .bind(id, from, limits.importBatchRows)
      .first<{ row: number | null }>()
    if (next?.row == null) return 'done'
    if (!(await undoBatch(db, step, { from, to: next.row, at: now() }))) return 'stopped'
    if (now() >= until) return 'timed out'
    from = next.row
  }
}

const NEXT_STATE = { checking: 'checked', importing: 'imported', undoing: 'undone' } as const

/** Masks stored cells, which may contain personal data. */
export const MASK_VALUES = `UPDATE import_rows SET value = substr(value, 1, 1) || '…'
  WHERE import_id IN (SELECT value FROM json_each(?1)) AND value IS NOT NULL`

/**
 * Writes the report and ends the step. Idempotent. The state is saved before the file is deleted: if the worker crashes
 * in between, the cleanup job deletes the file.
 */
async function finishStep({ db, files }: StepDeps, importRecord: ImportInProgress, now: () => Millis): Promise<void> {
  const isDryRun = importRecord.state === 'checking'
  if (!isDryRun)
    await db.$client
      .prepare(MASK_VALUES)
      .bind(JSON.stringify([importRecord.id]))
      .run()
  const counts = await countRows(db, importRecord.id)
  const filter = { where: 'row.import_id = ?4', values: [importRecord.id] }
  await writeCsv({ db, files, key: importReportKey(importRecord.id), source: REPORT_SOURCE, filter })
  const at = now()
  const isSameStep = and(eq(imports.id, importRecord.id), eq(imports.stepId, importRecord.stepId))
  await db
    .update(imports)
    .set({
      state: NEXT_STATE[importRecord.state],
      counts,
      updatedAt: at,
      ...(!isDryRun && { finishedAt: at, fileExpiresAt: at, headers: [] }),
    })
    .where(and(isSameStep, eq(imports.state, importRecord.state)))
  if (isDryRun) return
  await files.delete(importFileKey(importRecord.id))
  await db.update(imports).set({ fileExpiresAt: null }).where(isSameStep)
}

/** Marks a step as failed. A failed dry run can be repeated, a failed import undone. */
async function failStep(db: Db, { id, stepId }: Pick<ImportRecord, 'id' | 'stepId'>, at: Millis): Promise<void> {
  await db
    .update(imports)
    .set({ state: sql`iif(${imports.startedAt} IS NULL, 'uploaded', 'failed')`, updatedAt: at, finishedAt: at })
    .where(and(eq(imports.id, id), eq(imports.stepId, stepId), inArray(imports.state, [...IMPORT_STATES_IN_PROGRESS])))
}

const sqlText = (text: string) => `'${text.replaceAll("'", "''")}'`
/** SQL that maps a column's keys to their messages. */
const messageCase = (column: string, messages: Readonly<Record<string, string>>) =>
  `CASE ${column} ${Object.entries(messages)
    .map(([key, text]) => `WHEN ${sqlText(key)} THEN ${sqlText(text)}`)
    .join(' ')} END`
const REPORT_COLUMNS: readonly CsvColumn[] = [
  { header: 'row', sql: 'row.row', isPlain: true },
  {
    header: 'imported',
    sql: "CASE row.outcome WHEN 'skipped' THEN 'no' WHEN 'contact' THEN 'as a contact' ELSE 'yes' END",
  },
  {
    header: 'reason',
    sql: `coalesce(${messageCase('row.undone', UNDO_EXCEPTIONS)}, ${messageCase('row.reason', IMPORT_REASONS)})`,
  },
  { header: 'cell', sql: 'row.value' },
]
/** Rows that were skipped or imported only in part; after an undo, those skipped or left in place. */
const REPORT_SOURCE: ExportSource = {
  table: 'import_rows',
  where: "(row.reason IS NOT NULL AND row.undone IS NULL OR row.undone <> 'removed')",
  columns: REPORT_COLUMNS,
}

/** Time limit per queue message; another message continues the import. */
const MESSAGE_BUDGET_MS: Millis = 20 * SECOND_MS

/** Continues an import within the time limit, and sends another message if it is not finished. */
export const importHandler = createJobHandler({
  schema: ImportMessage,
  retrySeconds: limits.importRetrySeconds,
  async run(job, env, now) {
    const deps = { db: openDb(env.DB), files: env.FILES, secret: env.SIGNING_SECRET }
    const isFinished = await continueImport(
      deps,
      { id: job.id, stepId: job.run },
      { now, until: now() + MESSAGE_BUDGET_MS },
    )
    if (!isFinished) await env.EXPORTS.send(job)
    return true
  },
  fail: ({ id, run: stepId }, { DB }) => failStep(openDb(DB), { id, stepId }, Date.now()),
})
