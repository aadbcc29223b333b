import { type Context, Hono } from 'hono'
import { broadcastsApi } from '../contract/broadcasts'
import type { AppEnv } from '../http/app-env'
import { listHouse } from '../http/house'
import { body } from '../http/validate'
import { type Millis, SECOND } from '../lib/clock'
import { audiences } from './audience'
import {
  cancelBroadcast,
  changeBroadcast,
  createBroadcast,
  preview,
  removeBroadcast,
  sendBroadcast,
  testBroadcast,
} from './broadcasts'
import { newestBroadcasts, oneBroadcast } from './list'

export const broadcastsRoutes = new Hono<AppEnv>()

const actOf = async (c: Context<AppEnv>) => ({
  id: c.req.param('id') ?? '',
  actorId: (await c.var.session.administrator()).userId,
  at: c.var.now(),
})

broadcastsRoutes.get(broadcastsApi.all.path, async (c) => c.json(await newestBroadcasts(c.env.DB)))
broadcastsRoutes.get(broadcastsApi.audiences.path, async (c) => c.json(await audiences(c.env.DB)))
broadcastsRoutes.get(broadcastsApi.one.path, async (c) => c.json(await oneBroadcast(c.env.DB, c.req.param('id'))))

broadcastsRoutes.post(broadcastsApi.preview.path, body(broadcastsApi.preview), async (c) =>
  c.json(await preview(listHouse(c), c.req.valid('json'))),
)

broadcastsRoutes.post(broadcastsApi.create.path, body(broadcastsApi.create), async (c) =>
  c.json(await createBroadcast(listHouse(c), c.req.valid('json'), await actOf(c)), 201),
)

broadcastsRoutes.patch(broadcastsApi.change.path, body(broadcastsApi.change), async (c) => {
  await changeBroadcast(listHouse(c), c.req.valid('json'), await actOf(c))
  return c.body(null, 204)
})

broadcastsRoutes.delete(broadcastsApi.remove.path, async (c) => {
  await removeBroadcast(listHouse(c), await actOf(c))
  return c.body(null, 204)
})

broadcastsRoutes.post(broadcastsApi.test.path, body(broadcastsApi.test), async (c) => {
  await testBroadcast(listHouse(c), { ...(await actOf(c)), to: c.req.valid('json').to })
  return c.body(null, 202)
})

broadcastsRoutes.post(broadcastsApi.send.path, body(broadcastsApi.send), async (c) => {
  const { at } = c.req.valid('json')
  const act = { ...(await actOf(c)), when: at === undefined ? null : Date.parse(at) }
  await sendBroadcast(listHouse(c), act)
  c.executionCtx.waitUntil(wake(c, act.id, act.when ?? act.at))
  return c.body(null, 202)
})

broadcastsRoutes.post(broadcastsApi.cancel.path, async (c) => {
  await cancelBroadcast(listHouse(c), await actOf(c))
  return c.body(null, 204)
})

/**
 * The queue keeps a message for twelve hours at the most; the sweep, every five minutes, knows of later ones and of
 * those that the queue did not take.
 */
async function wake(c: Context<AppEnv>, id: string, when: Millis): Promise<void> {
  const delaySeconds = Math.ceil((when - c.var.now()) / SECOND)
  if (delaySeconds > 12 * 3600) return
  await c.env.BROADCASTS.send({ kind: 'broadcast', id }, { delaySeconds }).catch(() => undefined)
}
