import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from './app-env'

/**
 * Gives each request an id (answered as `X-Request-Id`) and writes one JSON line when it is done. The line holds the
 * route's pattern, never the path or query: those can carry tokens and addresses.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()
  const id = crypto.randomUUID()
  c.set('requestId', id)
  await next()
  // On the answer itself: c.header() would copy the answer once more. `privateByDefault` has made one that can be changed.
  c.res.headers.set('x-request-id', id)
  console.log(
    JSON.stringify({
      at: 'request',
      id,
      method: c.req.method,
      route: matchedRoutes(c).find((route) => route.method !== 'ALL')?.path ?? null,
      status: c.res.status,
      ms: Date.now() - startedAt,
    }),
  )
})
