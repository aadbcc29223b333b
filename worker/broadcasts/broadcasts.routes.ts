import { type Context, Hono } from 'hono'
import { broadcastsApi } from '../contract/broadcasts'
import { readRecords } from '../db/list'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { validateBody } from '../http/validate'
import { type Millis, SECOND_MS } from '../lib/clock'
import { MAX_QUEUE_DELAY_MS } from '../queue-handler'
import { broadcastList } from './admin-list'
import { listAudiences } from './audience'
import {
  cancelBroadcast,
  createBroadcast,
  deleteBroadcast,
  previewBroadcast,
  readBroadcast,
  sendBroadcast,
  sendTestEmail,
  updateBroadcast,
} from './broadcasts'

export const broadcastsRoutes = new Hono<AppEnv>()

const broadcastActionOf = async (c: Context<AppEnv>) => ({
  id: c.req.param('id') ?? '',
  ...(await actorOf(c)),
})

broadcastsRoutes.get(broadcastsApi.list.path, async (c) =>
  sendPage(c, await readRecords(c.var.db, broadcastList, parseListQuery(c))),
)
broadcastsRoutes.get(broadcastsApi.audiences.path, async (c) => c.json(await listAudiences(c.var.db)))
broadcastsRoutes.get(broadcastsApi.broadcast.path, async (c) =>
  c.json(await readBroadcast(c.var.db, c.req.param('id'))),
)

broadcastsRoutes.post(broadcastsApi.preview.path, validateBody(broadcastsApi.preview), async (c) =>
  c.json(await previewBroadcast(depsOf(c), c.req.valid('json'))),
)

broadcastsRoutes.post(broadcastsApi.create.path, validateBody(broadcastsApi.create), async (c) =>
  c.json(await createBroadcast(depsOf(c), c.req.valid('json'), await broadcastActionOf(c)), 201),
)

broadcastsRoutes.patch(broadcastsApi.update.path, validateBody(broadcastsApi.update), async (c) => {
  await updateBroadcast(depsOf(c), c.req.valid('json'), await broadcastActionOf(c))
  return c.body(null, 204)
})

broadcastsRoutes.delete(broadcastsApi.remove.path, async (c) => {
  await deleteBroadcast(depsOf(c), await broadcastActionOf(c))
  return c.body(null, 204)
})

broadcastsRoutes.post(broadcastsApi.test.path, validateBody(broadcastsApi.test), async (c) => {
  await sendTestEmail(depsOf(c), { ...(await broadcastActionOf(c)), to: c.req.valid('json').to })
  return c.body(null, 202)
})

broadcastsRoutes.post(broadcastsApi.send.path, validateBody(broadcastsApi.send), async (c) => {
  const { at, version } = c.req.valid('json')
  const action = { ...(await broadcastActionOf(c)), version, when: at === undefined ? null : Date.parse(at) }
  await sendBroadcast(depsOf(c), action)
  c.executionCtx.waitUntil(scheduleSend(c, action.id, action.when ?? action.at))
  return c.body(null, 202)
})

broadcastsRoutes.post(broadcastsApi.cancel.path, async (c) => {
  await cancelBroadcast(depsOf(c), await broadcastActionOf(c))
  return c.body(null, 204)
})

/**
 * Queues a message for the time of sending. The five-minute job starts broadcasts that are due later than the queue
 * allows, and those whose message was lost.
 */
async function scheduleSend(c: Context<AppEnv>, id: string, sendAt: Millis): Promise<void> {
  const delay = sendAt - c.var.now()
  if (delay > MAX_QUEUE_DELAY_MS) return
  const delaySeconds = Math.ceil(delay / SECOND_MS)
  await c.env.BROADCASTS.send({ kind: 'broadcast', id }, { delaySeconds }).catch(() => undefined)
}
