import { type Context, Hono } from 'hono'
import { requireProof } from '../auth/proof'
import { type DeskPointsEntry, peopleApi } from '../contract/people'
import type { AppEnv } from '../http/app-env'
import { asked, leadOn } from '../http/keyset'
import { siteOrigin } from '../http/site-origin'
import { body } from '../http/validate'
import { entriesOf } from './entries'
import { administrators, appoint, auditEntries, ban, erase, revoke, supporters, unban, unknownPerson } from './people'

export const peopleRoutes = new Hono<AppEnv>()

async function by(c: Context<AppEnv>) {
  return { actorId: (await c.var.session.administrator()).userId, at: c.var.now() }
}
/** Who may open the desk is decided by somebody who has just shown who they are. */
async function proven(c: Context<AppEnv>) {
  requireProof((await c.var.session.administrator()).claim, c.var.now())
}
function idOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw unknownPerson()
  return Number(text)
}

peopleRoutes.get(peopleApi.supporters.path, async (c) => {
  const page = await supporters(c.env.DB, asked(c))
  leadOn(c, page.next)
  return c.json(page.supporters)
})
peopleRoutes.get(peopleApi.points.path, async (c) => {
  const page = await entriesOf(c.env.DB, { id: idOf(c.req.param('id')), cursor: c.req.query('cursor') ?? null })
  leadOn(c, page.next)
  return c.json(page.entries satisfies DeskPointsEntry[])
})
peopleRoutes.post(peopleApi.ban.path, body(peopleApi.ban), async (c) => {
  await ban(c.env.DB, idOf(c.req.param('id')), c.req.valid('json').reason, await by(c))
  return c.body(null, 204)
})
peopleRoutes.post(peopleApi.unban.path, async (c) => {
  await unban(c.env.DB, idOf(c.req.param('id')), await by(c))
  return c.body(null, 204)
})
peopleRoutes.delete(peopleApi.erase.path, async (c) => {
  await proven(c)
  await erase({ db: c.env.DB, secret: c.var.config.signingSecret }, idOf(c.req.param('id')), await by(c))
  return c.body(null, 204)
})
peopleRoutes.get(peopleApi.administrators.path, async (c) => c.json(await administrators(c.env.DB)))
peopleRoutes.post(peopleApi.appoint.path, body(peopleApi.appoint), async (c) => {
  await proven(c)
  await appoint(c.env.DB, c.req.valid('json').email, { ...(await by(c)), origin: siteOrigin(c) })
  return c.body(null, 204)
})
peopleRoutes.delete(peopleApi.revoke.path, async (c) => {
  await proven(c)
  await revoke(c.env.DB, idOf(c.req.param('id')), await by(c))
  return c.body(null, 204)
})
peopleRoutes.get(peopleApi.audit.path, async (c) => {
  const page = await auditEntries(c.env.DB, asked(c))
  leadOn(c, page.next)
  return c.json(page.entries)
})
