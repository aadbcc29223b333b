import type { Context } from 'hono'
import type { ListQuery } from '../db/list'
import type { Page } from '../db/pagination'
import { AppError } from '../lib/app-error'
import type { AppEnv } from './app-env'

/** Parses an admin list's query string; `readList` rejects unknown sorts and filters. @throws AppError `bad_input`. */
export function parseListQuery(c: Context<AppEnv>): ListQuery {
  const { q, sort = null, cursor = null, ...filters } = c.req.query()
  if ((q ?? '').length > 200) throw new AppError('bad_input', 'Please search for at most 200 characters.')
  return { q: (q ?? '').normalize('NFC').trim(), sort, cursor, filters }
}

/** Sets `Link: rel="next"`: this request's URL with the next page's cursor. */
export function setNextLink(c: Context<AppEnv>, next: string | null): void {
  if (next !== null) c.header('link', pageLink(c, next, 'next'), { append: true })
}

function pageLink(c: Context<AppEnv>, cursor: string, relation: 'next' | 'prev'): string {
  const search = new URLSearchParams(new URL(c.req.url).search)
  search.set('cursor', cursor)
  return `<${c.req.path}?${search}>; rel="${relation}"`
}

/** A page of a list as JSON, with `Link` headers to the next and the previous page. */
export function sendPage<Row>(c: Context<AppEnv>, { rows, next, previous }: Page<Row>): Response {
  setNextLink(c, next)
  if (previous) c.header('link', pageLink(c, previous, 'prev'), { append: true })
  return c.json(rows)
}
