import type { Db } from '../db/client'
import { sign } from '../lib/crypto'

export const ARCHIVE_FORMAT = 'artist-house-archive'
export const ARCHIVE_VERSION = 1

/** The first line of an archive's manifest; each further line is a `ManifestEntry`. */
export type ManifestHeader = {
  format: typeof ARCHIVE_FORMAT
  version: typeof ARCHIVE_VERSION
  createdAt: number
  /** Applied migrations. A restore requires the same ones. */
  migrations: string[]
  /** Identifies the signing secret: the rows contain hashes that are keyed with it. */
  secretCheck: string
  /** Last id of each AUTOINCREMENT table. */
  sequences: Record<string, number>
  entries: number
}

export type FileMetadata = { http: R2HTTPMetadata; custom: Record<string, string> }

/** A file of the archive: rows of a table (JSON Lines) or an R2 object. */
export type ManifestEntry = {
  path: string
  sizeBytes: number
  sha256: string
} & ({ table: string; rows: number } | ({ key: string } & FileMetadata))

export const MANIFEST_PATH = 'manifest.jsonl'

/** Tables that are not archived: they belong to this deployment, or their rows expire. */
export const OPERATIONAL_TABLES: readonly string[] = [
  'api_tokens',
  'archive_entries',
  'archive_parts',
  'archives',
  'attempts',
  'csv_links',
  'data_version',
  'd1_migrations',
  'exports',
  'job_runs',
  'recent_erasures',
  'used_passkey_challenges',
  'webhook_deliveries',
  'webhooks',
]

/**
 * Sections that differ in an archive of the restored site: unsent emails become `unknown`, broadcasts in progress or
 * due are canceled, and requests and downloads of archives add audit entries.
 */
export const CHANGING_SECTIONS: readonly string[] = ['outbox', 'broadcasts', 'audit_log-archives']

/** Prefixes of R2 objects that are not archived. */
export const OPERATIONAL_PREFIXES: readonly string[] = ['archives/', 'exports/', 'imports/']

/** Sections that hold only some rows of a table. All other sections are whole tables, by name. */
const SPLIT_SECTIONS: Readonly<Record<string, { table: string; where: string }>> = {
  audit_log: { table: 'audit_log', where: "action NOT GLOB 'archive.*'" },
  'audit_log-archives': { table: 'audit_log', where: "action GLOB 'archive.*'" },
}

/** Table and condition of a section of the archive. */
export const sectionSource = (section: string): { table: string; where: string } =>
  SPLIT_SECTIONS[section] ?? { table: section, where: 'true' }

const sectionsOf = (table: string) => {
  const sections = Object.keys(SPLIT_SECTIONS).filter((section) => SPLIT_SECTIONS[section]?.table === table)
  return sections.length > 0 ? sections : [table]
}

/** Sections of the archive in the order of a restore: tables before those that refer to them. */
export async function listSections({ $client: d1 }: Db): Promise<string[]> {
  const { results: tables } = await d1
    .prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
         AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'restore_progress' ORDER BY name`,
    )
    .all<{ name: string }>()
  // Not joined to the list above, because D1 rejects queries of its internal tables.
  const { results: references } = await d1
    .prepare(
      `SELECT t.value AS child, f."table" AS parent FROM json_each(?1) t JOIN pragma_foreign_key_list(t.value) f
       WHERE f."table" <> t.value`,
    )
    .bind(JSON.stringify(tables.map(({ name }) => name)))
    .all<{ child: string; parent: string }>()
  const ordered: string[] = []
  const addAfterParents = (name: string): void => {
    if (ordered.includes(name)) return
    for (const { child, parent } of references) if (child === name) addAfterParents(parent)
    ordered.push(name)
  }
  for (const { name } of tables) addAfterParents(name)
  return ordered.filter((name) => !OPERATIONAL_TABLES.includes(name)).flatMap(sectionsOf)
}

/** Keyed hash that identifies the signing secret. */
export const secretCheck = (secret: string): Promise<string> => sign(secret, 'archive', 'check value')

/** Names of the applied migrations. */
export async function listMigrations({ $client: d1 }: Db): Promise<string[]> {
  const { results } = await d1.prepare('SELECT name FROM d1_migrations ORDER BY name').all<{ name: string }>()
  return results.map(({ name }) => name)
}
