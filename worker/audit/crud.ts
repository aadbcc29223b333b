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

/** Something that administrators edit. */
type Entity = {
  /** Noun of audit actions (`track.added`), audit subjects (`track:1`) and errors. */
  noun: string
  table: SQLiteTable & { id: AnySQLiteColumn; version: AnySQLiteColumn; removedAt?: AnySQLiteColumn }
  notFoundMessage?: string
}

/** A row to save: values by drizzle property, with the version of its draft, and further statements of the batch. */
type RowToSave = {
  id: string | number
  values: Values & { version?: number | undefined }
  statements?: D1PreparedStatement[]
  /** Extra condition of an update, and the message of the `conflict` if it does not hold. */
  updateIf?: { condition: SQL | undefined; message: string }
}

/** An action that changes a row's state and can be undone by its counterpart. */
type StateChange = {
  /** Verb of the audit action. */
  verb: string
  values: (at: Millis) => Values
  condition?: SQL
  statements?: (db: Db, action: { id: string; at: Millis }) => D1PreparedStatement[]
}

/** Admin CRUD of one entity (`crudRoutes` serves it). */
export type Crud<Draft> = Entity & {
  /** The admin list at this time, which decides what is upcoming or past. */
  list: (at: Millis) => RecordList
  /** The row of a draft; a new one if `id` is null. @throws AppError `bad_input`, `not_found`, `conflict`. */
  toRow: (deps: Pick<Deps, 'db' | 'origin'>, draft: Draft, id: string | null, actor: Actor) => Promise<RowToSave>
  remove?: StateChange
  restore?: StateChange
  /** Condition of the rows that admins can reorder; `position` stores their order. */
  sortableRows?: SQL
}

/** `remove` and `restore` of a table with `removed_at`. */
export const softDelete = (removedAt: AnySQLiteColumn) => ({
  remove: { verb: 'removed', values: (at: Millis) => ({ removedAt: at }), condition: isNull(removedAt) },
  restore: { verb: 'restored', values: () => ({ removedAt: null }) },
})

const MAX_SAVE_ATTEMPTS = 10
const isSlugOrIdTaken = (error: unknown) => /UNIQUE constraint failed: \w+\.(slug|id)\b/.test(String(error))

/**
 * Saves a draft with its audit entry in one batch and returns the id. If another request takes the slug or id that
 * `toRow` chose, `toRow` chooses again. @throws AppError `not_found`, `bad_input`, `conflict`.
 */
export async function saveDraft<Draft>(...args: Parameters<typeof trySaveDraft<Draft>>): Promise<string> {
  for (let attempt = 1; attempt <= MAX_SAVE_ATTEMPTS; attempt++)
    try {
      return await trySaveDraft(...args)
    } catch (error) {
      if (!isSlugOrIdTaken(error)) throw error
    }
  throw new AppError('conflict', 'Someone else is adding the same thing right now. Please save again.')
}

async function trySaveDraft<Draft>(
  deps: Pick<Deps, 'db' | 'origin'>,
  crud: Omit<Crud<Draft>, 'list'>,
  { draft, id }: { draft: Draft; id: string | null },
  actor: Actor,
): Promise<string> {
  const { db } = deps
  const { table, noun } = crud
  const row = await crud.toRow(deps, draft, id, actor)
  const { version, ...values } = row.values
  const isPresent = and(eq(table.id, row.id), table.removedAt && isNull(table.removedAt))
  const write =
    id === null
      ? db.insert(table).values({ id: row.id, ...values } as never)
      : db
          .update(table)
          .set({ ...values, version: nextVersion(table.version) } as never)
          .where(and(isPresent, isVersion(table.version, version), row.updateIf?.condition))
  const explain = async () => {
    const [present] = await db.select({ version: table.version }).from(table).where(isPresent)
    if (!present) return notFoundError(crud)
    const isOutdated = version !== undefined && present.version !== version
    return row.updateIf && !isOutdated ? new AppError('conflict', row.updateIf.message) : outdatedError()
  }
  const audit = { ...actor, action: `${noun}.${id === null ? 'added' : 'changed'}`, subject: `${noun}:${row.id}` }
  await saveVersioned(db, write, audit, { others: row.statements ?? [], explain })
  return String(row.id)
}

/** Changes a row's state with its audit entry in one batch. @throws AppError `not_found`. */
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
 * @throws AppError `conflict` if `ids` are not exactly the rows that match `sortableRows`.
 */
export async function saveOrder(
  db: Db,
  { noun, table, sortableRows = sql`true` }: Entity & { sortableRows?: SQL },
  ids: readonly string[],
  actor: Actor,
): Promise<void> {
  const order = sql`json_each(${JSON.stringify(ids)})`
  const id = sql`CAST(${table.id} AS TEXT)`
  const position = sql`(SELECT item.key + 1 FROM ${order} item WHERE item.value = ${id})`
  const isComplete = sql`(SELECT count(*) FROM ${table} WHERE ${sortableRows}) = ${ids.length}
    AND NOT EXISTS (SELECT 1 FROM ${order} item WHERE item.value NOT IN (SELECT ${id} FROM ${table} WHERE ${sortableRows}))`
  const [check] = await db.$client.batch<{ isComplete: number }>([
    prepare(db, sql`SELECT ${isComplete} AS isComplete`),
    prepare(
      db,
      sql`UPDATE ${table} SET position = ${position}, version = version + 1
        WHERE ${sortableRows} AND ${isComplete} AND position <> ${position}`,
    ),
    recordAuditIfChanged(db, { ...actor, action: `${noun}.reordered` }),
  ])
  if (!check?.results[0]?.isComplete)
    throw new AppError('conflict', 'The list has changed since you opened it. Reload it, then set the order again.')
}

const notFoundError = ({ noun, notFoundMessage }: Entity) =>
  new AppError('not_found', notFoundMessage ?? `That ${noun.replace('social_', '')} does not exist.`)
