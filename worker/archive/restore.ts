import { createHash } from 'node:crypto'
import { openDb } from '../db/client'
import { findWrongTotals } from '../db/totals'
import { inChunks } from '../lib/chunks'
import type { Millis } from '../lib/clock'
import type { ManifestEntry, ManifestHeader } from './contents'
import { listMigrations, listSections, OPERATIONAL_TABLES, secretCheck, sectionSource } from './contents'
import { ArchiveError, type ArchiveSource, MAX_PAGE_BYTES, readArchive, readText, verifyArchive } from './verify'

type Stores = { d1: D1Database; files: R2Bucket; secret: string }
type TableEntry = Extract<ManifestEntry, { table: string }>
type FileEntry = Extract<ManifestEntry, { key: string }>

export type RestoreResult = {
  /** Restored rows. `leftOut` counts rows not restored, because rows they refer to are missing from the archive. */
  rows: number
  leftOut: number
  files: number
  /** When the archive was created. */
  createdAt: Millis
  /** As `findWrongTotals` returns them; empty if the data are consistent. */
  wrongTotals: string[]
}

const MAX_STATEMENT_CHARS = 400_000
const FILE_PART_BYTES = 8 * 1024 * 1024

/**
 * Restores an archive into an empty site: checks all of it first, then loads rows without their triggers, which would
 * count them again. An interrupted restore of the same archive continues; `endRestore` ends it.
 * @throws ArchiveError if the archive is invalid or the site is not empty; nothing has changed then.
 */
export async function restoreArchive(
  { d1, files, secret }: Stores,
  source: ArchiveSource,
  log: (line: string) => void = () => undefined,
): Promise<RestoreResult> {
  const db = openDb(d1)
  const migrations = await listMigrations(db).catch(() => [])
  const tables = new Set((await listSections(db)).map((section) => sectionSource(section).table))
  const manifest = await verifyArchive(source, { migrations, secretCheck: await secretCheck(secret), tables })
  const archiveId = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
  log(`The archive is complete: ${manifest.entries.length} files, all as listed.`)
  const progress = (await readProgress(d1, archiveId)) ?? (await beginRestore(d1, archiveId))
  let rows = 0
  let { leftOut } = progress
  let fileCount = 0
  for await (const { entry, body } of readArchive(source)) {
    if ('table' in entry) rows += entry.rows
    else fileCount += 1
    if (progress.loaded.has(entry.path)) continue
    if ('table' in entry)
      leftOut += await loadRows(d1, entry, await readText({ sizeBytes: entry.sizeBytes, body }, MAX_PAGE_BYTES), log)
    else await loadFile(files, entry, body)
    if ('key' in entry && fileCount % 100 === 0) log(`${fileCount} files restored`)
  }
  if (!progress.hasTriggers) await finishLoading(d1, manifest.header)
  return {
    rows: rows - leftOut,
    leftOut,
    files: fileCount,
    createdAt: manifest.header.createdAt,
    wrongTotals: await findWrongTotals(d1),
  }
}

type Progress = {
  /** Paths of the loaded entries. */
  loaded: Set<string>
  /** Rows of these entries that were left out. */
  leftOut: number
  /** All rows are loaded, and the triggers are back. */
  hasTriggers: boolean
}

/** Progress of an interrupted restore; null if there is none. @throws ArchiveError for another archive. */
async function readProgress(d1: D1Database, archiveId: string): Promise<Progress | null> {
  const hasBegun = await d1.prepare("SELECT 1 FROM sqlite_master WHERE name = 'restore_progress'").first()
  if (!hasBegun) return null
  const { results } = await d1
    .prepare('SELECT kind, value FROM restore_progress')
    .all<{ kind: string; value: string }>()
  if (!results.some(({ kind, value }) => kind === 'archive' && value === archiveId))
    throw new ArchiveError(
      'The restore of another archive is unfinished here. Continue with that one, or use a new database.',
    )
  return {
    loaded: new Set(results.filter(({ kind }) => kind === 'loaded').map(({ value }) => value)),
    leftOut: sumOfValues(results.filter(({ kind }) => kind === 'left_out')),
    hasTriggers: !results.some(({ kind }) => kind === 'trigger'),
  }
}

const sumOfValues = (rows: readonly { value: string }[]) => rows.reduce((sum, { value }) => sum + Number(value), 0)

/** Moves the triggers to `restore_progress` and drops them. @throws ArchiveError unless the site is empty. */
async function beginRestore(d1: D1Database, archiveId: string): Promise<Progress> {
  await requireEmpty(d1)
  const { results: triggers } = await d1
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all<{ name: string; sql: string }>()
  await d1.batch([
    d1.prepare('CREATE TABLE restore_progress (kind TEXT NOT NULL, value TEXT NOT NULL)'),
    d1.prepare("INSERT INTO restore_progress VALUES ('archive', ?1)").bind(archiveId),
    d1.prepare("INSERT INTO restore_progress SELECT 'trigger', sql FROM sqlite_master WHERE type = 'trigger'"),
    ...triggers.map(({ name }) => d1.prepare(`DROP TRIGGER "${name}"`)),
  ])
  return { loaded: new Set(), leftOut: 0, hasTriggers: false }
}

async function requireEmpty(d1: D1Database): Promise<void> {
  const { results } = await d1
    .prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*'
       AND name NOT GLOB '_cf_*' AND name NOT IN (SELECT value FROM json_each(?1))`,
    )
    .bind(JSON.stringify(OPERATIONAL_TABLES))
    .all<{ name: string }>()
  const counts = await d1.batch<{ n: number }>(
    results.map(({ name }) => d1.prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM "${name}" LIMIT 1)`)),
  )
  const filledTables = results.filter((_, i) => counts[i]?.results[0]?.n !== 0).map(({ name }) => name)
  if (filledTables.length === 0) return
  const moreTablesText = filledTables.length > 3 ? ` and ${filledTables.length - 3} more tables` : ''
  throw new ArchiveError(
    `This site is not empty: ${filledTables.slice(0, 3).join(', ')}${moreTablesText} hold rows. Restore into a new database.`,
  )
}

type Column = { name: string; isRequired: number }
type ForeignKey = { id: number; column: string; parent: string; parentColumn: string }

/**
 * SQL that selects the rows to insert from the JSON array ?1. The archive was read from child tables first, so a parent
 * that was deleted in between is missing: its children are left out, or their reference becomes null if the column
 * allows it. References of a table to itself need no check: within a table, parent rows come before their children.
 */
async function selectRows(d1: D1Database, table: string, columns: readonly Column[]): Promise<string> {
  const { results } = await d1
    .prepare(
      `SELECT id, "from" AS "column", "table" AS parent, coalesce("to", 'rowid') AS parentColumn
       FROM pragma_foreign_key_list(?1) WHERE "table" <> ?1 ORDER BY id, seq`,
    )
    .bind(table)
    .all<ForeignKey>()
  const values = new Map(columns.map(({ name }) => [name, `line.value->>'$.${name}'`]))
  const conditions = ['true']
  for (const keyColumns of Map.groupBy(results, ({ id }) => id).values()) {
    const keyMatches = keyColumns.map(({ column, parentColumn }) => `p."${parentColumn}" = line.value->>'$.${column}'`)
    const parentExists = `EXISTS (SELECT 1 FROM "${keyColumns[0]?.parent}" p WHERE ${keyMatches.join(' AND ')})`
    const nullable = keyColumns.find(({ column }) =>
      columns.some(({ name, isRequired }) => name === column && !isRequired),
    )
    if (nullable) values.set(nullable.column, `iif(${parentExists}, ${values.get(nullable.column)}, NULL)`)
    else conditions.push(parentExists)
  }
  return `SELECT ${[...values.values()].join(', ')} FROM json_each(?1) line WHERE ${conditions.join(' AND ')}`
}

/** Inserts a page of rows and records its path and left-out rows in one batch. Returns the number left out. */
async function loadRows(
  d1: D1Database,
  { table, path }: TableEntry,
  text: string,
  log: (line: string) => void,
): Promise<number> {
  const { results: columns } = await d1
    .prepare('SELECT name, "notnull" OR pk > 0 AS isRequired FROM pragma_table_info(?1)')
    .bind(table)
    .all<Column>()
  if (columns.length === 0)
    throw new ArchiveError(`This site has no table ${table}. The archive is of another version.`)
  const names = columns.map(({ name }) => `"${name}"`)
  const insert = d1.prepare(`INSERT INTO "${table}" (${names.join(', ')}) ${await selectRows(d1, table, columns)}`)
  const recordLeftOut = d1.prepare(
    "INSERT INTO restore_progress SELECT 'left_out', ?1 - changes() WHERE ?1 > changes() RETURNING value",
  )
  const statements: D1PreparedStatement[] = []
  let lines: string[] = []
  let chars = 0
  const flush = () => {
    if (lines.length > 0) statements.push(insert.bind(`[${lines.join()}]`), recordLeftOut.bind(lines.length))
    lines = []
    chars = 0
  }
  for (const line of text.trimEnd().split('\n')) {
    if (chars + line.length > MAX_STATEMENT_CHARS) flush()
    lines.push(line)
    chars += line.length
  }
  flush()
  const results = await d1.batch<{ value: string }>([
    ...statements,
    d1.prepare("INSERT INTO restore_progress VALUES ('loaded', ?1)").bind(path),
  ])
  const leftOut = sumOfValues(results.flatMap((result) => result.results))
  if (leftOut > 0)
    log(
      `Warning: rows of ${table} left out: ${leftOut}. Rows they refer to were deleted while the archive was created.`,
    )
  return leftOut
}

/** Stores a file, with at most one part of it in memory. */
async function loadFile(files: R2Bucket, { key, sizeBytes, http, custom }: FileEntry, body: AsyncIterable<Uint8Array>) {
  const { cacheExpiry, ...headers } = http
  const httpMetadata: R2HTTPMetadata = cacheExpiry ? { ...headers, cacheExpiry: new Date(cacheExpiry) } : headers
  const options = { httpMetadata, customMetadata: custom }
  const parts = inChunks(body, FILE_PART_BYTES)
  if (sizeBytes <= FILE_PART_BYTES) {
    const { value } = await parts.next()
    await files.put(key, value ?? new Uint8Array(), options)
    // Reading to the end checks the digest.
    for await (const _ of parts);
    return
  }
  const upload = await files.createMultipartUpload(key, options)
  const sent: R2UploadedPart[] = []
  for await (const part of parts) sent.push(await upload.uploadPart(sent.length + 1, part))
  await upload.complete(sent)
}

/** In one batch: rebuilds full-text search, stops emails and broadcasts probably sent already, recreates triggers. */
async function finishLoading(d1: D1Database, { sequences, createdAt }: ManifestHeader): Promise<void> {
  const { results: triggers } = await d1
    .prepare("SELECT value FROM restore_progress WHERE kind = 'trigger'")
    .all<{ value: string }>()
  const { results: searchIndexes } = await d1
    .prepare("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'")
    .all<{ name: string }>()
  await d1.batch([
    ...searchIndexes.map(({ name }) => d1.prepare(`INSERT INTO "${name}" ("${name}") VALUES ('rebuild')`)),
    ...Object.entries(sequences).flatMap(([name, last]) => [
      d1.prepare('DELETE FROM sqlite_sequence WHERE name = ?1').bind(name),
      d1.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)').bind(name, last),
    ]),
    // Waiting emails were probably sent after the archive was created, so an admin decides about them.
    d1.prepare("UPDATE outbox SET state = 'unknown', claimed_at = NULL WHERE state = 'waiting'"),
    // Broadcasts in progress, or scheduled for a time that has passed, were probably sent too.
    d1
      .prepare(
        "UPDATE broadcasts SET state = 'cancelled' WHERE state = 'sending' OR (state = 'scheduled' AND scheduled_at <= ?1)",
      )
      .bind(Date.now()),
    // Higher than every data version that a cache may hold.
    d1.prepare('UPDATE data_version SET version = max(version, ?1)').bind(Math.floor(createdAt / 1000)),
    ...triggers.map(({ value }) => d1.prepare(value)),
    d1.prepare("DELETE FROM restore_progress WHERE kind = 'trigger'"),
  ])
}

/** Deletes the progress: from now on, another restore is rejected because the site is not empty. */
export async function endRestore(d1: D1Database): Promise<void> {
  await d1.prepare('DROP TABLE restore_progress').run()
}
