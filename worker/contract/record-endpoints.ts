import * as z from 'zod/mini'
import { type BackgroundWork, del, type editors, get, listQuery, type managers, patch, post } from './endpoint'
import { CreatedId } from './fields'

type Extras = { description?: string; recentAuth?: true }
type RecordOptions<Row, Draft> = {
  access: typeof editors | typeof managers
  row: Row
  draft: Draft
  /** Starts after each write. */
  starts?: BackgroundWork
  /** Filters of the list, besides `id`. */
  filters: readonly string[]
  list?: Extras
  add?: Extras
  update?: Extras
  remove?: Extras
}

/** Endpoints that list, add, change, delete and restore one kind of record; `addCrudRoutes` serves them. */
export function recordEndpoints<const Path extends string, Row extends z.ZodMiniType, Draft extends z.ZodMiniType>(
  path: Path,
  { access, row, draft, starts, filters, list, add, update, remove }: RecordOptions<Row, Draft>,
) {
  const write = { ...access, ...(starts && { starts }) }
  return {
    list: get(path, z.array(row), { ...access, query: listQuery('id', ...filters), ...list }),
    add: post(path, draft, CreatedId, { ...write, status: 201, ...add }),
    update: patch(`${path}/:id`, draft, null, { ...write, ...update }),
    remove: del(`${path}/:id`, null, null, { ...write, ...remove }),
    restore: post(`${path}/:id/restore`, null, null, write),
  }
}
