import type { Context } from 'hono'
import { Refused } from '../lib/refused'
import type { AppEnv } from './app-env'

/** What a list of the desk is asked for. */
export type Asked = { q: string; cursor: string | null }

/** Reads `?q=` and `?cursor=`. @throws Refused `bad_input` for a search that is longer than anybody types. */
export function asked(c: Context<AppEnv>): Asked {
  const q = (c.req.query('q') ?? '').normalize('NFC').trim()
  if (q.length > 200) throw new Refused('bad_input', 'Please search for at most 200 characters.')
  return { q, cursor: c.req.query('cursor') ?? null }
}

/** Says where the next page is: the same search, behind `next`. */
export function leadOn(c: Context<AppEnv>, next: string | null): void {
  if (next === null) return
  const search = new URLSearchParams(new URL(c.req.url).search)
  search.set('cursor', next)
  c.header('link', `<${c.req.path}?${search}>; rel="next"`)
}
