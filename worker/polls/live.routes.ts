import { type Context, Hono } from 'hono'
import { pollsApi } from '../contract/polls'
import type { AppEnv } from '../http/app-env'
import { requireSameOrigin } from '../http/origin'
import { rateLimit } from '../http/rate-limit'
import { AppError } from '../lib/app-error'
import { requireWatchPermission } from './live-access'

export const liveRoutes = new Hono<AppEnv>()

// Any page can open a socket with its visitor's cookies: what guards writes guards this read, too.
liveRoutes.get(pollsApi.live.path, requireSameOrigin, rateLimit('LIMIT_WRITES', 'person'), async (c) => {
  const pollId = c.req.param('pollId')
  const session = await c.var.session.requirePayload()
  await requireWatchPermission(c.var.db, { session, pollId })
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket')
    throw new AppError('bad_input', 'Live results come over a WebSocket.')
  const params = new URLSearchParams({ poll: pollId, viewer: String(session.userId) })
  return c.env.LIVE.getByName(pollId).fetch(new Request(`https://live/?${params}`, c.req.raw))
})

/** Tells who watches a poll that it changed, behind the answer: a vote never waits for it or fails with it. */
export function notifyWatchers(c: Context<AppEnv>, pollId: string): void {
  const notification = c.var.liveNotifier.notify(pollId, () => c.env.LIVE.getByName(pollId).notifyChanged())
  if (!notification) return
  const delivered = notification.catch((error: unknown) => {
    console.error(JSON.stringify({ at: 'live', error: error instanceof Error ? error.name : 'unknown' }))
  })
  c.executionCtx.waitUntil(delivered)
}
