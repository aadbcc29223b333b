import { recordAuditIfChanged } from '../audit/audit'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'

/** What the desk keeps, by the noun that the audit log uses. */
export const TABLES = {
  track: 'tracks',
  product: 'products',
  concert: 'concerts',
  social_post: 'social_posts',
  challenge: 'challenges',
} as const
export type EntityType = keyof typeof TABLES
export type SqlValue = string | number | null
export type Actor = { actorId: number; at: Millis }

/**
 * Adds or changes a row, with the statements that belong to it and a line of the audit log, in one batch. Column names
 * come from code, never from a request. @throws AppError `not_found` for a change of what is not there.
 */
export async function saveRow(
  db: D1Database,
  entityType: EntityType,
  {
    id,
    isNew,
    row,
    statements = [],
  }: { id: SqlValue; isNew: boolean; row: Record<string, SqlValue>; statements?: D1PreparedStatement[] },
  { actorId, at }: Actor,
): Promise<void> {
  const columns = Object.keys(row)
  const values = Object.values(row)
  const sql = isNew
    ? `INSERT INTO ${TABLES[entityType]} (id, ${columns.join(', ')}) VALUES (?1, ${columns.map((_, i) => `?${i + 2}`).join(', ')}) RETURNING id`
    : `UPDATE ${TABLES[entityType]} SET ${columns.map((column, i) => `${column} = ?${i + 2}`).join(', ')}
       WHERE id = ?1 AND removed_at IS NULL RETURNING id`
  const exists =
    isNew ||
    (await db.prepare(`SELECT 1 FROM ${TABLES[entityType]} WHERE id = ?1 AND removed_at IS NULL`).bind(id).first())
  if (!exists) throw unknownEntityError(entityType)
  const [result] = await db.batch([
    db.prepare(sql).bind(id, ...values),
    recordAuditIfChanged(db, {
      actorId,
      action: `${entityType}.${isNew ? 'added' : 'changed'}`,
      subject: `${entityType}:${id}`,
      at,
    }),
    ...statements,
  ])
  if (!result?.results.length) throw unknownEntityError(entityType)
}

/** Takes something off the site. What refers to it stays. @throws AppError `not_found`. */
export const removeRow = (
  db: D1Database,
  noun: EntityType,
  id: string,
  actor: Actor,
  statements?: D1PreparedStatement[],
): Promise<void> =>
  setRemoved(db, noun, id, actor, ['removed', 'SET removed_at = ?2 WHERE id = ?1 AND removed_at IS NULL'], statements)

/** Puts it back where it was. @throws AppError `not_found`. */
export const restoreRow = (
  db: D1Database,
  noun: EntityType,
  id: string,
  actor: Actor,
  statements?: D1PreparedStatement[],
): Promise<void> =>
  setRemoved(db, noun, id, actor, ['restored', 'SET removed_at = NULL WHERE id = ?1 AND ?2 IS NOT NULL'], statements)

async function setRemoved(
  db: D1Database,
  entityType: EntityType,
  id: string,
  { actorId, at }: Actor,
  [verb, assignment]: readonly [string, string],
  statements: D1PreparedStatement[] = [],
) {
  const [result] = await db.batch([
    db.prepare(`UPDATE ${TABLES[entityType]} ${assignment} RETURNING id`).bind(id, at),
    recordAuditIfChanged(db, { actorId, action: `${entityType}.${verb}`, subject: `${entityType}:${id}`, at }),
    ...statements,
  ])
  if (result?.results.length !== 1) throw unknownEntityError(entityType)
}

const unknownEntityError = (noun: EntityType) =>
  new AppError('not_found', `That ${noun.replace('social_', '')} does not exist.`)
