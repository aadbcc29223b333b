import { Hono } from 'hono'
import { adminListsApi, POLL_COLUMNS } from '../contract/admin'
import type { AppEnv } from '../http/app-env'
import { parseListQuery, setNextLink } from '../http/pagination'
import { listCityRequests, listPolls, listSubscribers } from './lists'

export const adminListsRoutes = new Hono<AppEnv>()

adminListsRoutes.get(adminListsApi.newsletter.path, async (c) => {
  const page = await listSubscribers(c.env.DB, parseListQuery(c))
  setNextLink(c, page.next)
  return c.json(page.rows)
})
adminListsRoutes.get(adminListsApi.cityDemand.path, async (c) => {
  const page = await listCityRequests(c.env.DB, parseListQuery(c))
  setNextLink(c, page.next)
  return c.json(page.rows)
})
adminListsRoutes.get(adminListsApi.polls.path, async (c) => {
  const page = await listPolls(c.env.DB, parseListQuery(c, POLL_COLUMNS), c.var.now())
  setNextLink(c, page.next)
  return c.json(page.rows)
})
