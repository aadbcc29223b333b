import type { Context } from 'hono'
import type { Order } from '../lib/keyset'
import { Refused } from '../lib/refused'
import type { AppEnv } from './app-env'

/** What a list of the desk is asked for. */
export type Asked<Column extends string = never> = { q: string; cursor: string | null; order: Order<Column> | null }

/**
 * Reads `?q=`, `?cursor=` and `?sort=`, one of `columns`: a list that names none has one order alone.
 * @throws Refused `bad_input` for a search that is longer than anybody types, and for any other column.
 */
export function asked<Column extends string = never>(
  c: Context<AppEnv>,
  columns: readonly Column[] = [],
): Asked<Column> {
  const q = (c.req.query('q') ?? '').normalize('NFC').trim()
  if (q.length > 200) throw new Refused('bad_input', 'Please search for at most 200 characters.')
  const sort = c.req.query('sort')
  const column = columns.find((one) => one === sort?.replace(/^-/, ''))
  if (sort !== undefined && column === undefined) throw new Refused('bad_input', 'This list cannot be sorted by that.')
  return {
    q,
    cursor: c.req.query('cursor') ?? null,
    order: column === undefined ? null : { column, descending: sort?.startsWith('-') === true },
  }
}

/** Says where the next page is: the same search, behind `next`. */
export function leadOn(c: Context<AppEnv>, next: string | null): void {
  if (next === null) return
  const search = new URLSearchParams(new URL(c.req.url).search)
  search.set('cursor', next)
  c.header('link', `<${c.req.path}?${search}>; rel="next"`)
}
