import { type Context, Hono } from 'hono'
import { adminMissionsApi } from '../contract/admin-content'
import type { AppEnv } from '../http/app-env'
import { validateBody } from '../http/validate'
import type { Actor } from './crud'
import { listMissions, saveMission, setMissionActive } from './missions'

export const adminMissionsRoutes = new Hono<AppEnv>()

async function actorOf(c: Context<AppEnv>): Promise<Actor> {
  return { actorId: (await c.var.session.requireAdmin()).userId, at: c.var.now() }
}
const api = adminMissionsApi

adminMissionsRoutes.get(api.missions.path, async (c) => c.json(await listMissions(c.env.DB)))
adminMissionsRoutes.post(api.addMission.path, validateBody(api.addMission), async (c) =>
  c.json({ id: await saveMission(c.env.DB, c.req.valid('json'), null, await actorOf(c)) }, 201),
)
adminMissionsRoutes.patch(api.updateMission.path, validateBody(api.updateMission), async (c) => {
  await saveMission(c.env.DB, c.req.valid('json'), c.req.param('id'), await actorOf(c))
  return c.body(null, 204)
})
adminMissionsRoutes.post(api.endMission.path, async (c) => {
  await setMissionActive(c.env.DB, c.req.param('id'), false, await actorOf(c))
  return c.body(null, 204)
})
adminMissionsRoutes.post(api.resumeMission.path, async (c) => {
  await setMissionActive(c.env.DB, c.req.param('id'), true, await actorOf(c))
  return c.body(null, 204)
})
