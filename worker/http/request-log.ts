import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from './app-env'

/**
 * Adds `X-Request-Id` and logs one JSON line per request, with the route's pattern: paths and queries can carry tokens
 * and email addresses.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()
  const id = crypto.randomUUID()
  c.set('requestId', id)
  await next()
  // After securityHeaders the headers are mutable.
  c.res.headers.set('x-request-id', id)
  console.log(
    JSON.stringify({
      at: 'request',
      id,
      method: c.req.method,
      route: matchedRoutes(c).find((route) => route.method !== 'ALL')?.path ?? null,
      status: c.res.status,
      ms: Date.now() - startedAt,
      file: c.get('fileSource'),
    }),
  )
})
