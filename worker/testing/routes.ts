import { createApp } from '../app'

export type ServedRoute = { method: string; path: string }

/**
 * Every route of the app as Hono holds it: `{ method: 'GET', path: '/api/tracks/:id/audio' }`. Middleware (ALL) and
 * the pages' catch-all are left out. Tests over all routes are generated from this, so that a new one joins by itself.
 */
export function servedRoutes(): ServedRoute[] {
  const seen = new Map<string, ServedRoute>()
  for (const { method, path } of createApp().routes)
    if (method !== 'ALL' && path !== '/*' && path !== '*') seen.set(`${method} ${path}`, { method, path })
  return [...seen.values()]
}

export const readRoutes = () => servedRoutes().filter(({ method }) => method === 'GET')
export const writeRoutes = () => servedRoutes().filter(({ method }) => method !== 'GET')

/** A route's path with its parameters replaced, each by its own name's value or all by one. */
export const fillPath = (path: string, values: string | Record<string, string> = '1') =>
  path.replace(/:(\w+)(\{[^}]*\})?/g, (_, name) => (typeof values === 'string' ? values : (values[name] ?? '1')))
