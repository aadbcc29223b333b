import { eq, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Db, prepare } from '../db/client'
import { AppError } from '../lib/app-error'
import { type AuditAction, recordAuditIfChanged } from './audit'

/** Condition: the row still has the version that a draft was made from; any version if undefined. */
export const isVersion = (column: AnySQLiteColumn, version: number | undefined) =>
  version === undefined ? undefined : eq(column, version)

/** Value of a saved row's version. */
export const nextVersion = (column: AnySQLiteColumn) => sql`${column} + 1`

/** A draft was made from an older version than the stored one. */
export const outdatedError = () =>
  new AppError('conflict', 'Someone else has saved this since you opened it. Compare both versions, then save again.')

// Fails the batch unless the statements before it wrote the audit entry, so that none of them applies.
const REQUIRE_CHANGE = "SELECT iif(changes() > 0, 1, json('unchanged'))"
const isUnchangedError = (error: unknown) => /malformed JSON/i.test(String(error))

/**
 * Writes one row with its audit entry and `others` in one batch: all of them, or none if the condition of `write` does
 * not hold. @throws what `explain` returns then, by default `outdatedError`.
 */
export async function saveVersioned(
  db: Db,
  write: Parameters<typeof prepare>[1] | D1PreparedStatement,
  audit: AuditAction,
  {
    others = [],
    explain = outdatedError,
  }: { others?: D1PreparedStatement[]; explain?: () => AppError | Promise<AppError> } = {},
): Promise<void> {
  const batch = db.$client.batch([
    'bind' in write ? write : prepare(db, write),
    recordAuditIfChanged(db, audit),
    db.$client.prepare(REQUIRE_CHANGE),
    ...others,
  ])
  await batch.catch(async (error: unknown) => {
    throw isUnchangedError(error) ? await explain() : error
  })
}
