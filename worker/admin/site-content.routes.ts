import { type Context, Hono } from 'hono'
import { adminSiteContentApi } from '../contract/admin-content'
import type { AppEnv } from '../http/app-env'
import { validateBody } from '../http/validate'
import { type Actor, removeRow, restoreRow } from './crud'
import { listSocialPosts, listTiers, saveSocialPost, saveTier } from './site-content'

export const siteContentRoutes = new Hono<AppEnv>()

async function actorOf(c: Context<AppEnv>): Promise<Actor> {
  return { actorId: (await c.var.session.requireAdmin()).userId, at: c.var.now() }
}
const api = adminSiteContentApi

siteContentRoutes.get(api.tiers.path, async (c) => c.json(await listTiers(c.env.DB)))
siteContentRoutes.patch(api.changeTier.path, validateBody(api.changeTier), async (c) => {
  await saveTier(c.env.DB, c.req.valid('json'), c.req.param('id'), await actorOf(c))
  return c.body(null, 204)
})

siteContentRoutes.get(api.posts.path, async (c) => c.json(await listSocialPosts(c.env.DB)))
siteContentRoutes.post(api.addPost.path, validateBody(api.addPost), async (c) =>
  c.json({ id: await saveSocialPost(c.env.DB, c.req.valid('json'), null, await actorOf(c)) }, 201),
)
siteContentRoutes.patch(api.updatePost.path, validateBody(api.updatePost), async (c) => {
  await saveSocialPost(c.env.DB, c.req.valid('json'), c.req.param('id'), await actorOf(c))
  return c.body(null, 204)
})
siteContentRoutes.delete(api.removePost.path, async (c) => {
  await removeRow(c.env.DB, 'social_post', c.req.param('id'), await actorOf(c))
  return c.body(null, 204)
})
siteContentRoutes.post(api.restorePost.path, async (c) => {
  await restoreRow(c.env.DB, 'social_post', c.req.param('id'), await actorOf(c))
  return c.body(null, 204)
})
