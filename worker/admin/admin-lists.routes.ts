import { Hono } from 'hono'
import { auditList } from '../audit/admin-list'
import { cityRequestList } from '../concerts/admin-list'
import { adminListsApi, adminUsersApi } from '../contract/admin'
import { adminDiscountsApi } from '../contract/discounts'
import { savedViewsApi } from '../contract/saved-views'
import { readList } from '../db/list'
import { discountList } from '../discounts/admin-list'
import type { AppEnv } from '../http/app-env'
import { actorOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { validateBody } from '../http/validate'
import { subscriberList } from '../newsletter/admin-list'
import { listPointsEntries } from '../points/admin-list'
import { pollList } from '../polls/admin-list'
import { supporterList } from '../users/admin-list'
import { deleteSavedView, listSavedViews, saveView } from '../users/saved-views'
import { parseUserId } from './users.routes'

export const adminListsRoutes = new Hono<AppEnv>()
  .get(adminListsApi.newsletter.path, async (c) =>
    sendPage(c, await readList(c.var.db, subscriberList, parseListQuery(c))),
  )
  .get(adminListsApi.cityDemand.path, async (c) =>
    sendPage(c, await readList(c.var.db, cityRequestList, parseListQuery(c))),
  )
  .get(adminListsApi.polls.path, async (c) =>
    sendPage(c, await readList(c.var.db, pollList(c.var.now()), parseListQuery(c))),
  )
  .get(adminUsersApi.supporters.path, async (c) =>
    sendPage(c, await readList(c.var.db, supporterList, parseListQuery(c))),
  )
  .get(adminDiscountsApi.list.path, async (c) =>
    sendPage(c, await readList(c.var.db, discountList(c.var.now()), parseListQuery(c))),
  )
  .get(adminUsersApi.points.path, async (c) =>
    sendPage(c, await listPointsEntries(c.var.db, parseUserId(c.req.param('id')), parseListQuery(c))),
  )
  .get(adminUsersApi.audit.path, async (c) => sendPage(c, await readList(c.var.db, auditList, parseListQuery(c))))
  .get(savedViewsApi.views.path, async (c) => {
    const { actorId } = await actorOf(c)
    return c.json(await listSavedViews(c.var.db, { userId: actorId, list: c.req.query('list') ?? '' }))
  })
  .post(savedViewsApi.save.path, validateBody(savedViewsApi.save), async (c) => {
    const { actorId, at } = await actorOf(c)
    return c.json(await saveView(c.var.db, { ...c.req.valid('json'), userId: actorId, at }))
  })
  .delete(savedViewsApi.remove.path, async (c) => {
    const { actorId } = await actorOf(c)
    await deleteSavedView(c.var.db, { userId: actorId, id: c.req.param('id') })
    return c.body(null, 204)
  })
