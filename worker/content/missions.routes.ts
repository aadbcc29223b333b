import { type Context, Hono } from 'hono'
import { missionsApi } from '../contract/missions'
import type { AppEnv } from '../http/app-env'
import { body } from '../http/validate'
import { deskMissions, keepMission, runMission } from './missions'
import type { By } from './rows'

export const missionsRoutes = new Hono<AppEnv>()

async function by(c: Context<AppEnv>): Promise<By> {
  return { actorId: (await c.var.session.administrator()).userId, at: c.var.now() }
}
const api = missionsApi

missionsRoutes.get(api.missions.path, async (c) => c.json(await deskMissions(c.env.DB)))
missionsRoutes.post(api.addMission.path, body(api.addMission), async (c) =>
  c.json({ id: await keepMission(c.env.DB, c.req.valid('json'), null, await by(c)) }, 201),
)
missionsRoutes.patch(api.changeMission.path, body(api.changeMission), async (c) => {
  await keepMission(c.env.DB, c.req.valid('json'), c.req.param('id'), await by(c))
  return c.body(null, 204)
})
missionsRoutes.post(api.endMission.path, async (c) => {
  await runMission(c.env.DB, c.req.param('id'), false, await by(c))
  return c.body(null, 204)
})
missionsRoutes.post(api.resumeMission.path, async (c) => {
  await runMission(c.env.DB, c.req.param('id'), true, await by(c))
  return c.body(null, 204)
})
