import { type Context, Hono } from 'hono'
import { siteContentApi } from '../contract/site-content'
import type { AppEnv } from '../http/app-env'
import { body } from '../http/validate'
import { type By, removed, restored } from './rows'
import { deskPosts, deskTiers, keepPost, keepTier } from './site-content'

export const siteContentRoutes = new Hono<AppEnv>()

async function by(c: Context<AppEnv>): Promise<By> {
  return { actorId: (await c.var.session.administrator()).userId, at: c.var.now() }
}
const api = siteContentApi

siteContentRoutes.get(api.tiers.path, async (c) => c.json(await deskTiers(c.env.DB)))
siteContentRoutes.patch(api.changeTier.path, body(api.changeTier), async (c) => {
  await keepTier(c.env.DB, c.req.valid('json'), c.req.param('id'), await by(c))
  return c.body(null, 204)
})

siteContentRoutes.get(api.posts.path, async (c) => c.json(await deskPosts(c.env.DB)))
siteContentRoutes.post(api.addPost.path, body(api.addPost), async (c) =>
  c.json({ id: await keepPost(c.env.DB, c.req.valid('json'), null, await by(c)) }, 201),
)
siteContentRoutes.patch(api.changePost.path, body(api.changePost), async (c) => {
  await keepPost(c.env.DB, c.req.valid('json'), c.req.param('id'), await by(c))
  return c.body(null, 204)
})
siteContentRoutes.delete(api.removePost.path, async (c) => {
  await removed(c.env.DB, 'social_post', c.req.param('id'), await by(c))
  return c.body(null, 204)
})
siteContentRoutes.post(api.restorePost.path, async (c) => {
  await restored(c.env.DB, 'social_post', c.req.param('id'), await by(c))
  return c.body(null, 204)
})
