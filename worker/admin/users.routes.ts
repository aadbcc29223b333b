import { type Context, Hono } from 'hono'
import { requireRecentAuthentication } from '../auth/reauthentication'
import { type AdminPointsEntry, adminUsersApi } from '../contract/admin'
import type { AppEnv } from '../http/app-env'
import { depsOf } from '../http/deps'
import { parseListQuery, setNextLink } from '../http/pagination'
import { validateBody } from '../http/validate'
import { actorOf } from './admin.routes'
import {
  appointAdministrator,
  banSupporter,
  eraseSupporter,
  listAdministrators,
  listAuditEntries,
  listPointsEntries,
  listSupporters,
  revokeAdministrator,
  unbanSupporter,
  unknownUserError,
} from './users'

export const adminUsersRoutes = new Hono<AppEnv>()

/** @throws AppError `confirm_required` if the last login or re-authentication is too old. */
async function requireRecentAdminLogin(c: Context<AppEnv>) {
  requireRecentAuthentication((await c.var.session.requireAdmin()).session, c.var.now())
}
function parseUserId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw unknownUserError()
  return Number(text)
}

adminUsersRoutes.get(adminUsersApi.supporters.path, async (c) => {
  const page = await listSupporters(c.var.db, parseListQuery(c))
  setNextLink(c, page.next)
  return c.json(page.rows)
})
adminUsersRoutes.get(adminUsersApi.points.path, async (c) => {
  const page = await listPointsEntries(c.var.db, {
    id: parseUserId(c.req.param('id')),
    cursor: c.req.query('cursor') ?? null,
  })
  setNextLink(c, page.next)
  return c.json(page.rows satisfies AdminPointsEntry[])
})
adminUsersRoutes.post(adminUsersApi.ban.path, validateBody(adminUsersApi.ban), async (c) => {
  await banSupporter(c.var.db, parseUserId(c.req.param('id')), c.req.valid('json').reason, await actorOf(c))
  return c.body(null, 204)
})
adminUsersRoutes.post(adminUsersApi.unban.path, async (c) => {
  await unbanSupporter(c.var.db, parseUserId(c.req.param('id')), await actorOf(c))
  return c.body(null, 204)
})
adminUsersRoutes.delete(adminUsersApi.erase.path, async (c) => {
  await requireRecentAdminLogin(c)
  await eraseSupporter(depsOf(c), parseUserId(c.req.param('id')), await actorOf(c))
  return c.body(null, 204)
})
adminUsersRoutes.get(adminUsersApi.administrators.path, async (c) => c.json(await listAdministrators(c.var.db)))
adminUsersRoutes.post(adminUsersApi.appoint.path, validateBody(adminUsersApi.appoint), async (c) => {
  await requireRecentAdminLogin(c)
  await appointAdministrator(depsOf(c), c.req.valid('json').email, await actorOf(c))
  return c.body(null, 204)
})
adminUsersRoutes.delete(adminUsersApi.revoke.path, async (c) => {
  await requireRecentAdminLogin(c)
  await revokeAdministrator(c.var.db, parseUserId(c.req.param('id')), await actorOf(c))
  return c.body(null, 204)
})
adminUsersRoutes.get(adminUsersApi.audit.path, async (c) => {
  const page = await listAuditEntries(c.var.db, parseListQuery(c))
  setNextLink(c, page.next)
  return c.json(page.rows)
})
