import { type Context, Hono } from 'hono'
import { pollsApi } from '../contract/polls'
import type { AppEnv } from '../http/app-env'
import { mustBeOwnOrigin } from '../http/origin'
import { limited } from '../http/rate-limit'
import { Refused } from '../lib/refused'
import { mayWatch } from './watch'

export const liveRoutes = new Hono<AppEnv>()

// Any page can open a socket with its visitor's cookies: what guards writes guards this read, too.
liveRoutes.get(pollsApi.live.path, mustBeOwnOrigin, limited('LIMIT_WRITES', 'person'), async (c) => {
  const pollId = c.req.param('pollId')
  const claim = await c.var.session.claimed()
  await mayWatch(c.var.db, { claim, pollId })
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket')
    throw new Refused('bad_input', 'Live results come over a WebSocket.')
  const asked = new URLSearchParams({ poll: pollId, viewer: String(claim.userId) })
  return c.env.LIVE.getByName(pollId).fetch(new Request(`https://live/?${asked}`, c.req.raw))
})

/** Tells who watches a poll that it changed, behind the answer: a vote never waits for it or fails with it. */
export function tellWatchers(c: Context<AppEnv>, pollId: string): void {
  const telling = c.var.told.tell(pollId, () => c.env.LIVE.getByName(pollId).changed())
  if (!telling) return
  const told = telling.catch((error: unknown) => {
    console.error(JSON.stringify({ at: 'live', error: error instanceof Error ? error.name : 'unknown' }))
  })
  c.executionCtx.waitUntil(told)
}
