import { createMiddleware } from 'hono/factory'
import { Refused } from '../lib/refused'
import type { AppEnv } from './app-env'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Writes that carry their own proof and so come without an Origin: none yet but webhooks and one-click unsubscribe. */
const EXEMPT: readonly string[] = ['/api/webhooks/stripe', '/api/newsletter/unsubscribe']

/**
 * Every write needs the own Origin (ruling 13). Hono's csrf() looks at form bodies only, and ours are JSON.
 * A missing Origin passes only where the browser itself vouches: `Sec-Fetch-Site: same-origin`.
 */
export const ownOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (!READS.has(c.req.method) && !EXEMPT.includes(c.req.path)) {
    const origin = c.req.header('origin')
    const own =
      origin === undefined ? c.req.header('sec-fetch-site') === 'same-origin' : origin === new URL(c.req.url).origin
    if (!own) throw new Refused('foreign_origin', 'That request did not come from this site.')
  }
  await next()
})
