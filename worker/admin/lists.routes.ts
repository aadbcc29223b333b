import { Hono } from 'hono'
import { deskListsApi, POLL_COLUMNS } from '../contract/desk-lists'
import type { AppEnv } from '../http/app-env'
import { asked, leadOn } from '../http/keyset'
import { demand, deskPolls, readers } from './lists'

export const listsRoutes = new Hono<AppEnv>()

listsRoutes.get(deskListsApi.newsletter.path, async (c) => {
  const page = await readers(c.env.DB, asked(c))
  leadOn(c, page.next)
  return c.json(page.rows)
})
listsRoutes.get(deskListsApi.cityDemand.path, async (c) => {
  const page = await demand(c.env.DB, asked(c))
  leadOn(c, page.next)
  return c.json(page.rows)
})
listsRoutes.get(deskListsApi.polls.path, async (c) => {
  const page = await deskPolls(c.env.DB, asked(c, POLL_COLUMNS), c.var.now())
  leadOn(c, page.next)
  return c.json(page.rows)
})
