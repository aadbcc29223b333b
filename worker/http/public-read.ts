import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { namesEtag } from '../lib/etag'
import type { AppEnv } from './app-env'
import { readNearby } from './bookmark'
import type { Made, Maker } from './kept'
import { siteOrigin } from './site-origin'

/** Sends a kept answer. Everybody may keep it as well, and asks before using it again, which costs no bytes (304). */
export async function sendKept(c: Context<AppEnv>, key: string, make: Maker): Promise<Response> {
  const hasWritten = await readNearby(c)
  const { config } = c.var
  const source = { db: c.var.db, config, origin: siteOrigin(c), at: c.var.now() }
  // The demo believes the request's own host: what it was asked by another name is another answer.
  const name = config.origin === null ? `${source.origin} ${key}` : key
  const linger = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const { body, headers, etag } = await c.var.kept.read(name, source, make, linger, hasWritten)
  const all = { ...headers, etag, 'cache-control': 'public, no-cache' }
  return namesEtag(c.req.header('if-none-match'), etag) ? c.body(null, 304, all) : c.body(body, 200, all)
}

/** A public read with the same answer for everybody. */
export const keptForAll = (make: Maker) => (c: Context<AppEnv>) => sendKept(c, c.req.path, make)

/**
 * A public read that tells a supporter something of their own. Who sends no cookie gets the kept answer; whoever sends
 * one goes on to the handler behind, which answers them alone.
 */
export const keptForVisitors = (make: Maker) => forVisitors((c) => [c.req.path, make])

/**
 * The same of the one thing that `:id` of `path` names. Its id is all that the maker learns of the request, and one
 * spelling of it is kept: percent signs let an address be written in any number of ways.
 */
export const keptByIdForVisitors = (path: string, make: (id: string) => Maker) =>
  forVisitors((c) => {
    const id = c.req.param('id') ?? ''
    return [path.replace(':id', encodeURIComponent(id)), make(id)]
  })

const forVisitors = (kept: (c: Context<AppEnv>) => [key: string, make: Maker]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.header('vary', 'cookie')
    if (c.req.header('cookie') === undefined) return sendKept(c, ...kept(c))
    await readNearby(c)
    await next()
  })

/** Data as a kept answer. `counts` where it shows counters, which do not move the data version. */
export const keptJson = (data: unknown, { counts = false } = {}): Made => ({
  body: JSON.stringify(data),
  headers: { 'content-type': 'application/json' },
  counts,
})
