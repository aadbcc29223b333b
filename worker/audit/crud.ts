import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Db, prepare } from '../db/client'
import type { RecordList } from '../db/list'
import type { Actor, Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { recordAuditIfChanged } from './audit'
import { isVersion, nextVersion, outdatedError, saveVersioned } from './save-versioned'

type Values = Record<string, unknown>

type Entity = {
  /** Noun of audit actions (`track.added`), audit subjects (`track:1`) and errors. */
  noun: string
  table: SQLiteTable & { id: AnySQLiteColumn; version: AnySQLiteColumn; removedAt?: AnySQLiteColumn }
  notFoundMessage?: string
}

type RowToSave = {
  id: string | number
  /** Keyed by drizzle property. `version` is the row's version from which the draft was made. */
  values: Values & { version?: number | undefined }
  /** Further statements of the batch. */
  statements?: D1PreparedStatement[]
  /** Extra condition of an update, and the message of the `conflict` if it does not hold. */
  updateIf?: { condition: SQL | undefined; message: string }
}

/** An action that changes a row's state and can be undone by its counterpart. */
type StateChange = {
  /** Verb of the audit action. */
  verb: string
  values: (at: Millis) => Values
  /** Condition of the rows that can change. */
  condition?: SQL
  /** Further statements of the batch. */
  statements?: (db: Db, action: { id: string; at: Millis }) => D1PreparedStatement[]
}

/** Admin CRUD of one entity (`addCrudRoutes` serves it). */
export type Crud<Draft> = Entity & {
  /** The admin list as of `at`, which decides what is upcoming or past. */
  list: (at: Millis) => RecordList
  /** The row to save for a draft; `id` is null for a new row. @throws AppError `bad_input`, `not_found`, `conflict`. */
  toRow: (deps: CrudDeps, draft: Draft, id: string | null, actor: Actor) => Promise<RowToSave>
  remove?: StateChange
  restore?: StateChange
  /** Condition of the rows that admins can reorder; `position` stores their order. */
  isSortable?: SQL
}

/** `remove` and `restore` of a table with `removed_at`. */
export const softDelete = (removedAt: AnySQLiteColumn) => ({
  remove: { verb: 'removed', values: (at: Millis) => ({ removedAt: at }), condition: isNull(removedAt) },
  restore: { verb: 'restored', values: () => ({ removedAt: null }) },
})

const MAX_SAVE_ATTEMPTS = 10
const isSlugOrIdTaken = (error: unknown) => /UNIQUE constraint failed: \w+\.(slug|id)\b/.test(String(error))

type CrudDeps = Pick<Deps, 'db' | 'origin'>
type CrudWithoutList<Draft> = Omit<Crud<Draft>, 'list'>
type DraftToSave<Draft> = { draft: Draft; id: string | null }

/**
 * Saves a draft with its audit entry in one batch and returns the id. If another request takes the slug or id that
 * `toRow` chose, `toRow` chooses again. @throws AppError `not_found`, `bad_input`, `conflict`.
 */
export async function saveDraft<Draft>(
  deps: CrudDeps,
  crud: CrudWithoutList<Draft>,
  draftToSave: DraftToSave<Draft>,
  actor: Actor,
): Promise<string> {
  for (let attempt = 1; attempt <= MAX_SAVE_ATTEMPTS; attempt++)
    try {
      return await trySaveDraft(deps, crud, draftToSave, actor)
    } catch (error) {
      if (!isSlugOrIdTaken(error)) throw error
    }
  throw new AppError('conflict', 'Someone else is adding the same thing right now. Please save again.')
}

async function trySaveDraft<Draft>(
  deps: CrudDeps,
  crud: CrudWithoutList<Draft>,
  { draft, id }: DraftToSave<Draft>,
  actor: Actor,
): Promise<string> {
  const { db } = deps
  const { table, noun } = crud
  const row = await crud.toRow(deps, draft, id, actor)
  const { version, ...values } = row.values
  const isExistingRow = and(eq(table.id, row.id), table.removedAt && isNull(table.removedAt))
  const write =
    id === null
      ? db.insert(table).values({ id: row.id, ...values } as never)
      : db
          .update(table)
          .set({ ...values, version: nextVersion(table.version) } as never)
          .where(and(isExistingRow, isVersion(table.version, version), row.updateIf?.condition))
  const findError = async () => {
    const [existing] = await db.select({ version: table.version }).from(table).where(isExistingRow)
    if (!existing) return notFoundError(crud)
    const isOutdated = version !== undefined && existing.version !== version
    return row.updateIf && !isOutdated ? new AppError('conflict', row.updateIf.message) : outdatedError()
  }
  const audit = { ...actor, action: `${noun}.${id === null ? 'added' : 'changed'}`, subject: `${noun}:${row.id}` }
  await saveVersioned(db, write, audit, { statements: row.statements ?? [], findError })
  return String(row.id)
}

/** Changes a row's state with its audit entry in one batch. @throws AppError `not_found` if no such row can change. */
export async function changeState(
  db: Db,
  entity: Entity,
  { verb, values, condition, statements }: StateChange,
  id: string,
  actor: Actor,
): Promise<void> {
  const update = db
    .update(entity.table)
    .set(values(actor.at) as never)
    .where(and(eq(entity.table.id, id), condition))
    .returning({ id: entity.table.id })
  const [result] = await db.$client.batch([
    prepare(db, update),
    recordAuditIfChanged(db, { ...actor, action: `${entity.noun}.${verb}`, subject: `${entity.noun}:${id}` }),
    ...(statements?.(db, { id, at: actor.at }) ?? []),
  ])
  if (result?.results.length !== 1) throw notFoundError(entity)
}

/**
 * Stores the order of `ids` in the rows' positions, with an audit entry.
 * @throws AppError `conflict` if `ids` are not exactly the rows that match `isSortable`.
 */
export async function saveOrder(
  db: Db,
  { noun, table, isSortable = sql`true` }: Entity & { isSortable?: SQL },
  ids: readonly string[],
  actor: Actor,
): Promise<void> {
  const order = sql`json_each(${JSON.stringify(ids)})`
  const id = sql`CAST(${table.id} AS TEXT)`
  const position = sql`(SELECT item.key + 1 FROM ${order} item WHERE item.value = ${id})`
  const sortableIds = sql`SELECT ${id} FROM ${table} WHERE ${isSortable}`
  const isComplete = sql`(SELECT count(*) FROM (${sortableIds})) = ${ids.length}
    AND NOT EXISTS (SELECT 1 FROM ${order} item WHERE item.value NOT IN (${sortableIds}))`
  const [check] = await db.$client.batch<{ isComplete: number }>([
    prepare(db, sql`SELECT ${isComplete} AS isComplete`),
    prepare(
      db,
      sql`UPDATE ${table} SET position = ${position}, version = version + 1
        WHERE ${isSortable} AND ${isComplete} AND position <> ${position}`,
    ),
    recordAuditIfChanged(db, { ...actor, action: `${noun}.reordered` }),
  ])
  if (!check?.results[0]?.isComplete)
    throw new AppError('conflict', 'The list has changed since you opened it. Reload it, then set the order again.')
}

const notFoundError = ({ noun, notFoundMessage }: Entity) =>
  new AppError('not_found', notFoundMessage ?? `That ${noun.replace('_', ' ')} does not exist.`)
