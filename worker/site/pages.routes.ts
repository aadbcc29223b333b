import { Hono } from 'hono'
import type { AppEnv } from '../http/app-env'
import { assets, css } from '../http/assets'
import type { Maker } from '../http/kept'
import { notServed } from '../http/not-found'
import { PAGE_POLICY } from '../http/page'
import { sendKept } from '../http/public-read'
import { shell } from '../http/shell'
import { siteOrigin } from '../http/site-origin'
import { Refused } from '../lib/refused'
import { headOf } from './head'
import { isRendered, PAGE_DATA, type RenderedPage } from './page-data'
import { pageAt, searchThatShows, withoutTrailingSlash } from './pages'

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
  if (isRendered(page)) {
    const shown = `${page}${searchThatShows(page, search)}`
    const answer = await sendKept(c, shown, rendered(page, shown, c.var.render)).catch(logged)
    if (answer) return answer
  }
  const head = await headOf(c.var.db, { page, path, origin: siteOrigin(c), at: c.var.now() })
  return c.html(shell(head, assets), head.isFound ? 200 : 404)
})

/** Draws a page as a visitor sees it, with what it was drawn from. */
function rendered(page: RenderedPage, shown: string, draw: AppEnv['Variables']['render']): Maker {
  return async ({ db, config, origin, at }) => {
    const [head, data] = await Promise.all([
      headOf(db, { page, path: page, origin, at }),
      PAGE_DATA[page](db, config, at),
    ])
    const drawn = await draw(shown, data)
    return {
      body: String(await shell(head, assets, { ...drawn, css })),
      headers: { 'content-type': 'text/html; charset=UTF-8', 'content-security-policy': PAGE_POLICY },
      counts: page === '/',
    }
  }
}

/** A page that cannot be drawn here is drawn by the browser: the shell is there for every page. */
function logged(error: unknown): null {
  if (error instanceof Refused) throw error
  console.error(JSON.stringify({ at: 'render', error: error instanceof Error ? error.name : 'unknown' }))
  return null
}
