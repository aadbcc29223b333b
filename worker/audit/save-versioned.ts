import { eq, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Db, prepare } from '../db/client'
import { AppError } from '../lib/app-error'
import { type AuditAction, recordAuditIfChanged } from './audit'

/** Condition: the row still has `version`, from which a draft was made. No condition if it is undefined. */
export const isVersion = (column: AnySQLiteColumn, version: number | undefined) =>
  version === undefined ? undefined : eq(column, version)

export const nextVersion = (column: AnySQLiteColumn) => sql`${column} + 1`

export const outdatedError = () =>
  new AppError('conflict', 'Someone else has saved this since you opened it. Compare both versions, then save again.')

// Fails and so rolls back the batch, unless the statement before it (the audit entry) wrote a row.
const REQUIRE_CHANGE = "SELECT iif(changes() > 0, 1, json('unchanged'))"
const isUnchangedError = (error: unknown) => /malformed JSON/i.test(String(error))

/**
 * Writes one row with its audit entry and further `statements` in one batch, or nothing if `write` changes no row.
 * @throws the result of `findError` if `write` changes no row; by default `outdatedError`.
 */
export async function saveVersioned(
  db: Db,
  write: Parameters<typeof prepare>[1] | D1PreparedStatement,
  audit: AuditAction,
  {
    statements = [],
    findError = outdatedError,
  }: { statements?: D1PreparedStatement[]; findError?: () => AppError | Promise<AppError> } = {},
): Promise<void> {
  const batch = db.$client.batch([
    'bind' in write ? write : prepare(db, write),
    recordAuditIfChanged(db, audit),
    db.$client.prepare(REQUIRE_CHANGE),
    ...statements,
  ])
  await batch.catch(async (error: unknown) => {
    throw isUnchangedError(error) ? await findError() : error
  })
}
