import type { Context } from 'hono'
import type { ListParams, Page, SortOrder } from '../db/pagination'
import { AppError } from '../lib/app-error'
import type { AppEnv } from './app-env'

/** Query of an admin list. */
type ListQuery<Column extends string> = ListParams & { order: SortOrder<Column> | null }

/**
 * Reads `?q=`, `?cursor=` and `?sort=` (one of `columns`).
 * @throws AppError `bad_input` for a search of over 200 characters or an unknown column.
 */
export function parseListQuery<Column extends string = never>(
  c: Context<AppEnv>,
  columns: readonly Column[] = [],
): ListQuery<Column> {
  const q = (c.req.query('q') ?? '').normalize('NFC').trim()
  if (q.length > 200) throw new AppError('bad_input', 'Please search for at most 200 characters.')
  const sort = c.req.query('sort')
  const column = columns.find((candidate) => candidate === sort?.replace(/^-/, ''))
  if (sort !== undefined && column === undefined) throw new AppError('bad_input', 'This list cannot be sorted by that.')
  return {
    q,
    cursor: c.req.query('cursor') ?? null,
    order: column === undefined ? null : { column, descending: sort?.startsWith('-') === true },
  }
}

/** Sets `Link: rel="next"`: this request's URL with the next page's cursor. */
export function setNextLink(c: Context<AppEnv>, next: string | null): void {
  if (next === null) return
  const search = new URLSearchParams(new URL(c.req.url).search)
  search.set('cursor', next)
  c.header('link', `<${c.req.path}?${search}>; rel="next"`)
}

/** A page of a list as JSON, with the `Link` to the next one. */
export function sendPage<Row>(c: Context<AppEnv>, { rows, next }: Page<Row>): Response {
  setNextLink(c, next)
  return c.json(rows)
}
