import { type Context, Hono } from 'hono'
import { announcedAgain, announcementId, hushed } from '../alerts/announce'
import { contentApi } from '../contract/content'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/site-origin'
import { body } from '../http/validate'
import { Refused } from '../lib/refused'
import { trackIdOf } from '../tracks/tracks'
import {
  deskConcerts,
  deskProducts,
  deskSite,
  deskTracks,
  keepConcert,
  keepProduct,
  keepSite,
  keepTrack,
} from './content'
import { type By, type Noun, removed, restored } from './rows'

export const contentRoutes = new Hono<AppEnv>()

async function by(c: Context<AppEnv>): Promise<By> {
  return { actorId: (await c.var.session.administrator()).userId, at: c.var.now() }
}

contentRoutes.get(contentApi.tracks.path, async (c) => c.json(await deskTracks(c.env.DB)))
contentRoutes.post(contentApi.addTrack.path, body(contentApi.addTrack), async (c) =>
  c.json({ id: await keepTrack(c.env.DB, c.req.valid('json'), null, await by(c)) }, 201),
)
contentRoutes.patch(contentApi.changeTrack.path, body(contentApi.changeTrack), async (c) => {
  await keepTrack(c.env.DB, c.req.valid('json'), trackIdOf(c.req.param('id')), await by(c))
  return c.body(null, 204)
})

contentRoutes.get(contentApi.products.path, async (c) => c.json(await deskProducts(c.env.DB)))
contentRoutes.post(contentApi.addProduct.path, body(contentApi.addProduct), async (c) =>
  c.json({ id: await keepProduct(c.env.DB, c.req.valid('json'), null, await by(c)) }, 201),
)
contentRoutes.patch(contentApi.changeProduct.path, body(contentApi.changeProduct), async (c) => {
  await keepProduct(c.env.DB, c.req.valid('json'), c.req.param('id'), await by(c))
  return c.body(null, 204)
})

contentRoutes.get(contentApi.concerts.path, async (c) => c.json(await deskConcerts(c.env.DB)))
contentRoutes.post(contentApi.addConcert.path, body(contentApi.addConcert), async (c) => {
  const id = await keepConcert(c.env.DB, c.req.valid('json'), null, { ...(await by(c)), origin: siteOrigin(c) })
  // Without this the sweep begins the show's alerts within five minutes.
  const message = { kind: 'broadcast' as const, id: announcementId({ id }) }
  c.executionCtx.waitUntil(c.env.BROADCASTS.send(message).catch(() => undefined))
  return c.json({ id }, 201)
})
contentRoutes.patch(contentApi.changeConcert.path, body(contentApi.changeConcert), async (c) => {
  await keepConcert(c.env.DB, c.req.valid('json'), c.req.param('id'), { ...(await by(c)), origin: siteOrigin(c) })
  return c.body(null, 204)
})

contentRoutes.get(contentApi.site.path, async (c) => {
  const site = await deskSite(c.env.DB)
  if (!site) throw new Refused('not_found', 'This site is not set up yet.')
  return c.json(site)
})
contentRoutes.patch(contentApi.changeSite.path, body(contentApi.changeSite), async (c) => {
  await keepSite(c.env.DB, c.req.valid('json'), await by(c))
  return c.body(null, 204)
})

const REMOVALS: readonly [Noun, string, string][] = [
  ['track', contentApi.removeTrack.path, contentApi.restoreTrack.path],
  ['product', contentApi.removeProduct.path, contentApi.restoreProduct.path],
  ['concert', contentApi.removeConcert.path, contentApi.restoreConcert.path],
]
for (const [noun, remove, restore] of REMOVALS) {
  contentRoutes.delete(remove, async (c) => {
    const [id, act] = [c.req.param('id') ?? '', await by(c)]
    await removed(c.env.DB, noun, id, act, noun === 'concert' ? hushed(c.env.DB, { id, at: act.at }) : [])
    return c.body(null, 204)
  })
  contentRoutes.post(restore, async (c) => {
    const [id, act] = [c.req.param('id') ?? '', await by(c)]
    await restored(c.env.DB, noun, id, act, noun === 'concert' ? [announcedAgain(c.env.DB, { id, at: act.at })] : [])
    return c.body(null, 204)
  })
}
