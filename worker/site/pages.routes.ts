import { Hono } from 'hono'
import type { AppEnv } from '../http/app-env'
import { assets } from '../http/assets'
import { notServed } from '../http/not-found'
import { shell } from '../http/shell'
import { siteOrigin } from '../http/site-origin'
import { headOf } from './head'
import { pageAt, withoutTrailingSlash } from './pages'

export const pagesRoutes = new Hono<AppEnv>()

/** Paths that never are pages: an unknown one is a sentence, not the 404 card. */
const NOT_A_PAGE = /^\/(api|assets|media)(\/|$)|\.[a-z0-9]{2,12}$/i

pagesRoutes.get('*', async (c) => {
  const { path } = c.req
  if (NOT_A_PAGE.test(path)) return notServed(c)
  const { search } = new URL(c.req.url)
  // One address a page: search engines and caches would hold two otherwise.
  const bare = withoutTrailingSlash(path)
  if (bare) return c.redirect(`${bare}${search}`, 308)
  const page = pageAt(path)
  const head = await headOf(c.var.db, { page, path, origin: siteOrigin(c), at: c.var.now() })
  return c.html(shell(head, assets), head.isFound ? 200 : 404)
})
