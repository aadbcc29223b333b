import { Hono } from 'hono'
import { listAuditEntries } from '../audit/admin-list'
import { listCityRequests } from '../concerts/city-requests-list'
import { adminListsApi, adminUsersApi, POLL_COLUMNS } from '../contract/admin'
import type { AppEnv } from '../http/app-env'
import { parseListQuery, sendPage } from '../http/pagination'
import { listSubscribers } from '../newsletter/admin-list'
import { listPointsEntries } from '../points/admin-list'
import { listPolls } from '../polls/admin-list'
import { listSupporters } from '../users/admin-list'
import { parseUserId } from './users.routes'

export const adminListsRoutes = new Hono<AppEnv>()
  .get(adminListsApi.newsletter.path, async (c) => sendPage(c, await listSubscribers(c.var.db, parseListQuery(c))))
  .get(adminListsApi.cityDemand.path, async (c) => sendPage(c, await listCityRequests(c.var.db, parseListQuery(c))))
  .get(adminListsApi.polls.path, async (c) =>
    sendPage(c, await listPolls(c.var.db, parseListQuery(c, POLL_COLUMNS), c.var.now())),
  )
  .get(adminUsersApi.supporters.path, async (c) => sendPage(c, await listSupporters(c.var.db, parseListQuery(c))))
  .get(adminUsersApi.points.path, async (c) => {
    const { cursor } = parseListQuery(c)
    return sendPage(c, await listPointsEntries(c.var.db, { id: parseUserId(c.req.param('id')), cursor }))
  })
  .get(adminUsersApi.audit.path, async (c) => sendPage(c, await listAuditEntries(c.var.db, parseListQuery(c))))
