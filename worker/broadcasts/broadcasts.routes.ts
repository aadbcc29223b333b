import { type Context, Hono } from 'hono'
import { broadcastsApi } from '../contract/broadcasts'
import type { AppEnv } from '../http/app-env'
import { depsOf } from '../http/deps'
import { validateBody } from '../http/validate'
import { type Millis, SECOND_MS } from '../lib/clock'
import { listAudiences } from './audience'
import { listBroadcasts, readBroadcast } from './broadcast-list'
import {
  cancelBroadcast,
  createBroadcast,
  deleteBroadcast,
  previewBroadcast,
  sendBroadcast,
  sendTestEmail,
  updateBroadcast,
} from './broadcasts'

export const broadcastsRoutes = new Hono<AppEnv>()

const broadcastAction = async (c: Context<AppEnv>) => ({
  id: c.req.param('id') ?? '',
  actorId: (await c.var.session.requireAdmin()).userId,
  at: c.var.now(),
})

broadcastsRoutes.get(broadcastsApi.list.path, async (c) => c.json(await listBroadcasts(c.env.DB)))
broadcastsRoutes.get(broadcastsApi.audiences.path, async (c) => c.json(await listAudiences(c.env.DB)))
broadcastsRoutes.get(broadcastsApi.broadcast.path, async (c) =>
  c.json(await readBroadcast(c.env.DB, c.req.param('id'))),
)

broadcastsRoutes.post(broadcastsApi.preview.path, validateBody(broadcastsApi.preview), async (c) =>
  c.json(await previewBroadcast(depsOf(c), c.req.valid('json'))),
)

broadcastsRoutes.post(broadcastsApi.create.path, validateBody(broadcastsApi.create), async (c) =>
  c.json(await createBroadcast(depsOf(c), c.req.valid('json'), await broadcastAction(c)), 201),
)

broadcastsRoutes.patch(broadcastsApi.update.path, validateBody(broadcastsApi.update), async (c) => {
  await updateBroadcast(depsOf(c), c.req.valid('json'), await broadcastAction(c))
  return c.body(null, 204)
})

broadcastsRoutes.delete(broadcastsApi.remove.path, async (c) => {
  await deleteBroadcast(depsOf(c), await broadcastAction(c))
  return c.body(null, 204)
})

broadcastsRoutes.post(broadcastsApi.test.path, validateBody(broadcastsApi.test), async (c) => {
  await sendTestEmail(depsOf(c), { ...(await broadcastAction(c)), to: c.req.valid('json').to })
  return c.body(null, 202)
})

broadcastsRoutes.post(broadcastsApi.send.path, validateBody(broadcastsApi.send), async (c) => {
  const { at } = c.req.valid('json')
  const act = { ...(await broadcastAction(c)), when: at === undefined ? null : Date.parse(at) }
  await sendBroadcast(depsOf(c), act)
  c.executionCtx.waitUntil(scheduleSend(c, act.id, act.when ?? act.at))
  return c.body(null, 202)
})

broadcastsRoutes.post(broadcastsApi.cancel.path, async (c) => {
  await cancelBroadcast(depsOf(c), await broadcastAction(c))
  return c.body(null, 204)
})

/**
 * The queue keeps a message for twelve hours at the most; the sweep, every five minutes, knows of later ones and of
 * those that the queue did not take.
 */
async function scheduleSend(c: Context<AppEnv>, id: string, when: Millis): Promise<void> {
  const delaySeconds = Math.ceil((when - c.var.now()) / SECOND_MS)
  if (delaySeconds > 12 * 3600) return
  await c.env.BROADCASTS.send({ kind: 'broadcast', id }, { delaySeconds }).catch(() => undefined)
}
