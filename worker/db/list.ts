import { inArray, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { AppError } from '../lib/app-error'
import { normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { artistTimeZone, boundsOfDay } from './artist-calendar'
import type { Db } from './client'
import { isDay } from './day-range'
import { invalidCursorError, type Page } from './pagination'

/** A list's query string: `?q=&sort=&cursor=` and its filters. */
export type ListQuery = {
  q: string
  /** `points` ascending, `-points` descending; null for the default order. */
  sort: string | null
  cursor: string | null
  /** Every other parameter. */
  filters: Readonly<Record<string, string>>
}

/** SQL condition of a filter's value; `zone` is the artist's time zone. @throws AppError `bad_input`. */
type ListFilter = (value: string, zone: string) => SQL

/** How an admin list is read, searched, filtered and sorted. */
export type ListDefinition<Row, Item> = {
  /** Columns of `Row`. */
  select: SQL
  from: SQL
  /** Condition of the rows that belong to the list. */
  where?: SQL
  /** Unique; orders rows of equal sort keys. */
  id: SQL
  /** Sort keys that are never NULL, each with an index where the table is large. */
  sorts: Readonly<Record<string, SQL>>
  defaultSort: string
  filters: Readonly<Record<string, ListFilter>>
  /** Condition of a search text. A search index can replace `from` and `id`, so that its order is used. */
  search?: (q: string) => { where: SQL; from?: SQL; id?: SQL }
  toItem: (row: Row) => Item
}

/** A filter by one or more of these values, such as `silver,gold`. */
export const choiceFilter =
  <Value extends string>(values: readonly Value[], condition: (chosen: readonly Value[]) => SQL): ListFilter =>
  (text) => {
    const chosen = text.split(',')
    if (!chosen.every((value): value is Value => values.some((known) => known === value)))
      throw new AppError('bad_input', 'This list has no such filter value. Clear the filters and choose again.')
    return condition(chosen)
  }

/** A filter by the values of a column. */
export const columnFilter = (column: SQL, values: readonly string[]): ListFilter =>
  choiceFilter(values, (chosen) => sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(chosen)}))`)

/** A filter by named conditions, joined by OR. */
export const conditionFilter = (conditions: Readonly<Record<string, SQL>>): ListFilter =>
  choiceFilter(
    Object.keys(conditions),
    (chosen) =>
      sql`(${sql.join(
        chosen.map((name) => conditions[name] as SQL),
        sql` OR `,
      )})`,
  )

const DAY_RANGE = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/

/** A filter by the artist's days, both included: `2026-01-01..2026-01-31`; either end may be empty. */
export const daysFilter =
  (timestamp: SQL): ListFilter =>
  (text, zone) => {
    const [, from, to] = DAY_RANGE.exec(text) ?? []
    if ((from ?? to) === undefined || [from, to].some((day) => day !== undefined && !isDay(day)))
      throw new AppError('bad_input', 'Please choose days like 2026-07-04.')
    const conditions = [
      ...(from === undefined ? [] : [sql`${timestamp} >= ${boundsOfDay(from, zone).beginsAt}`]),
      ...(to === undefined ? [] : [sql`${timestamp} < ${boundsOfDay(to, zone).endsAt}`]),
    ]
    return sql.join(conditions, sql` AND `)
  }

/** SQL: an indexable prefix match. char(1114111) sorts after every character. */
export const startsWith = (column: SQL, prefix: string): SQL =>
  sql`${column} >= ${prefix} AND ${column} < ${prefix} || char(1114111)`

/** Condition: one of the texts contains `q`. `instr`, because D1 limits LIKE patterns to 50 bytes. */
export const containsText = (texts: readonly SQL[], q: string): SQL =>
  sql`instr(lower(${sql.join(
    texts.map((text) => sql`coalesce(${text}, '')`),
    sql` || char(10) || `,
  )}), lower(${q})) > 0`

/**
 * Condition: one of `texts` contains `q`, or one of `emails` (lower-case columns) equals it. Lists mask addresses, so a
 * part of one finds nothing: otherwise, searches for "a", "ab" and so on would reveal it.
 */
export const matchesSearch = (
  { texts = [], emails }: { texts?: readonly SQL[]; emails: readonly SQL[] },
  q: string,
): SQL =>
  sql`(${sql.join(
    [
      ...(texts.length === 0 ? [] : [containsText(texts, q)]),
      ...emails.map((email) => sql`${email} = ${normalizeKey(q)}`),
    ],
    sql` OR `,
  )})`

/** `q` as a quoted phrase for an FTS5 trigram index, which finds three or more characters anywhere. */
export const trigramPhrase = (q: string) => `"${q.replaceAll('"', '""')}"`

/** Sort key and id of the row next to a page, and whether the page is after or before that row. */
type ListCursor = { direction: 'after' | 'before'; key: string | number; id: string | number }

/**
 * Reads a page of a list with keyset pagination: rows inserted or removed meanwhile neither repeat nor hide others.
 * `condition` restricts the list further, for example to one user.
 * @throws AppError `bad_input` for an unknown sort, filter or cursor.
 */
export async function readList<Row extends object, Item>(
  db: Db,
  definition: ListDefinition<Row, Item>,
  query: ListQuery,
  condition?: SQL,
): Promise<Page<Item>> {
  // Only filters by day need the time zone, which costs a query.
  const hasDays = Object.values(query.filters).some((value) => DAY_RANGE.test(value))
  const zone = hasDays ? await artistTimeZone(db) : 'UTC'
  const rows = await db.all<Row & { position: string }>(listStatement(definition, query, condition, zone))
  const isBackward = query.cursor?.startsWith('before.') === true
  const hasMore = rows.length > limits.adminPageSize
  const page = rows.slice(0, limits.adminPageSize)
  if (isBackward) page.reverse()
  const first = page[0]
  const last = page.at(-1)
  return {
    rows: page.map(({ position: _, ...row }) => definition.toItem(row as unknown as Row)),
    next: last && (isBackward || hasMore) ? toListCursor('after', last.position) : null,
    previous: first && (isBackward ? hasMore : query.cursor !== null) ? toListCursor('before', first.position) : null,
  }
}

type RowId = string | number

/** A list read in two steps: a page of ids, then their records by `load`, which may return them in any order. */
export type RecordList<Item extends { id: string } = { id: string }> = Omit<
  ListDefinition<{ id: RowId }, RowId>,
  'select' | 'toItem'
> & { load: (db: Db, ids: RowId[]) => Promise<Item[]> }

/** The rows of a table with text ids, in any order. */
export const findByIds = <Table extends SQLiteTable & { id: AnySQLiteColumn }>(
  db: Db,
  table: Table,
  ids: readonly RowId[],
) =>
  db
    .select()
    .from(table as SQLiteTable)
    .where(inArray(table.id, ids.map(String))) as unknown as Promise<Table['$inferSelect'][]>

/** A page of a `RecordList`. The filter `id` finds one record. @throws AppError as `readList`. */
export async function readRecords<Item extends { id: string }>(
  db: Db,
  { load, ...definition }: RecordList<Item>,
  query: ListQuery,
): Promise<Page<Item>> {
  const { id, filters } = definition
  const list: ListDefinition<{ id: RowId }, RowId> = {
    ...definition,
    select: sql`${id} AS id`,
    filters: { ...filters, id: (value) => sql`${id} = ${value}` },
    toItem: (row) => row.id,
  }
  const { rows: ids, ...cursors } = await readList(db, list, query)
  const items = new Map((ids.length === 0 ? [] : await load(db, ids)).map((item) => [item.id, item]))
  return { ...cursors, rows: ids.flatMap((itemId) => items.get(String(itemId)) ?? []) }
}

/** The statement of `readList`; exported for tests of its plan. */
export function listStatement(
  definition: Omit<ListDefinition<never, unknown>, 'toItem'>,
  { q, sort, cursor, filters }: ListQuery,
  condition?: SQL,
  zone = 'UTC',
): SQL {
  const search = q === '' ? undefined : definition.search?.(q)
  const id = search?.id ?? definition.id
  const [, minus, name = ''] = /^(-?)(.*)$/.exec(sort ?? definition.defaultSort) ?? []
  const sortKey = Object.hasOwn(definition.sorts, name) ? definition.sorts[name] : undefined
  if (!sortKey) throw new AppError('bad_input', 'This list cannot be sorted by that. Choose one of its columns.')
  const key = sortKey === definition.id ? id : sortKey
  const position = cursor === null ? null : parseListCursor(cursor)
  const isDescending = (minus === '-') !== (position?.direction === 'before')
  const direction = sql.raw(isDescending ? 'DESC' : 'ASC')
  const conditions = [
    definition.where,
    condition,
    search?.where,
    ...Object.entries(filters).map(([filter, value]) => {
      const toCondition = Object.hasOwn(definition.filters, filter) ? definition.filters[filter] : undefined
      if (!toCondition) throw new AppError('bad_input', 'This list cannot be filtered by that. Clear the filters.')
      return toCondition(value, zone)
    }),
    position && pageCondition({ key, id }, position, isDescending),
  ].filter((part) => part !== undefined && part !== null)
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `)
  const order = key === id ? sql`${id} ${direction}` : sql`${key} ${direction}, ${id} ${direction}`
  return sql`SELECT ${definition.select}, json_array(${key}, ${id}) AS position FROM ${search?.from ?? definition.from}
    WHERE ${where} ORDER BY ${order} LIMIT ${limits.adminPageSize + 1}`
}

function pageCondition({ key, id }: { key: SQL; id: SQL }, position: ListCursor, isDescending: boolean): SQL {
  const comparison = sql.raw(isDescending ? '<' : '>')
  return key === id
    ? sql`${id} ${comparison} ${position.id}`
    : sql`(${key}, ${id}) ${comparison} (${position.key}, ${position.id})`
}

const toListCursor = (direction: ListCursor['direction'], position: string) =>
  `${direction}.${encodeURIComponent(position).replaceAll('%', '~')}`

/** @throws AppError `bad_input`. */
function parseListCursor(cursor: string): ListCursor {
  const [, direction, text] = /^(after|before)\.([\w~.!*'()-]{1,2000})$/.exec(cursor) ?? []
  try {
    const [key, id, ...rest] = JSON.parse(decodeURIComponent((text ?? '').replaceAll('~', '%'))) as unknown[]
    if (isKey(key) && isKey(id) && rest.length === 0)
      return { direction: direction as ListCursor['direction'], key, id }
  } catch {
    // Not a cursor of a list.
  }
  throw invalidCursorError()
}

const isKey = (value: unknown): value is string | number => typeof value === 'string' || Number.isSafeInteger(value)
