import { type Context, Hono } from 'hono'
import { announcementId, cancelAnnouncement, restoreAnnouncement } from '../concerts/show-alerts'
import { adminContentApi } from '../contract/admin-content'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { parseTrackId } from '../tracks/tracks'
import {
  getSite,
  listConcerts,
  listProducts,
  listTracks,
  saveConcert,
  saveProduct,
  saveSite,
  saveTrack,
} from './content'
import { type Actor, type EntityType, removeRow, restoreRow } from './crud'

export const contentRoutes = new Hono<AppEnv>()

async function actorOf(c: Context<AppEnv>): Promise<Actor> {
  return { actorId: (await c.var.session.requireAdmin()).userId, at: c.var.now() }
}

contentRoutes.get(adminContentApi.tracks.path, async (c) => c.json(await listTracks(c.env.DB)))
contentRoutes.post(adminContentApi.addTrack.path, validateBody(adminContentApi.addTrack), async (c) =>
  c.json({ id: await saveTrack(c.env.DB, c.req.valid('json'), null, await actorOf(c)) }, 201),
)
contentRoutes.patch(adminContentApi.updateTrack.path, validateBody(adminContentApi.updateTrack), async (c) => {
  await saveTrack(c.env.DB, c.req.valid('json'), parseTrackId(c.req.param('id')), await actorOf(c))
  return c.body(null, 204)
})

contentRoutes.get(adminContentApi.products.path, async (c) => c.json(await listProducts(c.env.DB)))
contentRoutes.post(adminContentApi.addProduct.path, validateBody(adminContentApi.addProduct), async (c) =>
  c.json({ id: await saveProduct(c.env.DB, c.req.valid('json'), null, await actorOf(c)) }, 201),
)
contentRoutes.patch(adminContentApi.updateProduct.path, validateBody(adminContentApi.updateProduct), async (c) => {
  await saveProduct(c.env.DB, c.req.valid('json'), c.req.param('id'), await actorOf(c))
  return c.body(null, 204)
})

contentRoutes.get(adminContentApi.concerts.path, async (c) => c.json(await listConcerts(c.env.DB)))
contentRoutes.post(adminContentApi.addConcert.path, validateBody(adminContentApi.addConcert), async (c) => {
  const id = await saveConcert(c.env.DB, c.req.valid('json'), null, { ...(await actorOf(c)), origin: siteOrigin(c) })
  // Without this the sweep begins the show's alerts within five minutes.
  const message = { kind: 'broadcast' as const, id: announcementId({ id }) }
  c.executionCtx.waitUntil(c.env.BROADCASTS.send(message).catch(() => undefined))
  return c.json({ id }, 201)
})
contentRoutes.patch(adminContentApi.updateConcert.path, validateBody(adminContentApi.updateConcert), async (c) => {
  await saveConcert(c.env.DB, c.req.valid('json'), c.req.param('id'), { ...(await actorOf(c)), origin: siteOrigin(c) })
  return c.body(null, 204)
})

contentRoutes.get(adminContentApi.site.path, async (c) => {
  const site = await getSite(c.env.DB)
  if (!site) throw new AppError('not_found', 'This site is not set up yet.')
  return c.json(site)
})
contentRoutes.patch(adminContentApi.updateSite.path, validateBody(adminContentApi.updateSite), async (c) => {
  await saveSite(c.env.DB, c.req.valid('json'), await actorOf(c))
  return c.body(null, 204)
})

const REMOVALS: readonly [EntityType, string, string][] = [
  ['track', adminContentApi.removeTrack.path, adminContentApi.restoreTrack.path],
  ['product', adminContentApi.removeProduct.path, adminContentApi.restoreProduct.path],
  ['concert', adminContentApi.removeConcert.path, adminContentApi.restoreConcert.path],
]
for (const [entityType, remove, restore] of REMOVALS) {
  contentRoutes.delete(remove, async (c) => {
    const [id, actor] = [c.req.param('id') ?? '', await actorOf(c)]
    await removeRow(
      c.env.DB,
      entityType,
      id,
      actor,
      entityType === 'concert' ? cancelAnnouncement(c.env.DB, { id, at: actor.at }) : [],
    )
    return c.body(null, 204)
  })
  contentRoutes.post(restore, async (c) => {
    const [id, actor] = [c.req.param('id') ?? '', await actorOf(c)]
    await restoreRow(
      c.env.DB,
      entityType,
      id,
      actor,
      entityType === 'concert' ? [restoreAnnouncement(c.env.DB, { id, at: actor.at })] : [],
    )
    return c.body(null, 204)
  })
}
