import { Hono } from 'hono'
import type { AppEnv } from '../http/app-env'
import { assets } from '../http/assets'
import { notServed } from '../http/not-found'
import { shell } from '../http/shell'
import { headOf, isPage } from './head'

export const pagesRoutes = new Hono<AppEnv>()

/** Paths that never are pages: an unknown one is a sentence, not the 404 card. */
const NOT_A_PAGE = /^\/(api|assets|media)(\/|$)|\.[a-z0-9]{2,12}$/i

pagesRoutes.get('*', async (c) => {
  if (NOT_A_PAGE.test(c.req.path)) return notServed(c)
  const found = isPage(c.req.path)
  const head = await headOf(c.var.db, { path: c.req.path, found, origin: new URL(c.req.url).origin, at: c.var.now() })
  return c.html(shell(head, assets), found ? 200 : 404)
})
