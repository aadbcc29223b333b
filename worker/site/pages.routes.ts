import { Hono } from 'hono'
import type { AppEnv } from '../http/app-env'
import { assets } from '../http/assets'
import type { Maker } from '../http/kept'
import { notServed } from '../http/not-found'
import { policyWith, sheetsOf } from '../http/page'
import { sendKept } from '../http/public-read'
import { shell } from '../http/shell'
import { siteOrigin } from '../http/site-origin'
import { Refused } from '../lib/refused'
import { headOf } from './head'
import { isRendered, PAGE_DATA, type RenderedPage } from './page-data'
import { pageAt, pathOf, searchThatShows, withoutTrailingSlash } from './pages'

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
    const at = { path: pathOf(page, path), search: searchThatShows(page, search) }
    const answer = await sendKept(c, at.path + at.search, rendered(page, at, c.var.render)).catch(logged)
    if (answer) return answer
  }
  const head = await headOf(c.var.db, { page, path, origin: siteOrigin(c), at: c.var.now() })
  return c.html(shell(head, assets), head.isFound ? 200 : 404)
})

/** Of an address, what a page is drawn from: each in one spelling. */
type Shown = { path: string; search: string }

/** Draws a page as a visitor sees it, with what it was drawn from. */
function rendered(page: RenderedPage, { path, search }: Shown, draw: AppEnv['Variables']['render']): Maker {
  const sheets = sheetsOf(page === '/shows/:id' ? 'show' : null)
  return async ({ db, config, origin, at }) => {
    const [head, data] = await Promise.all([
      headOf(db, { page, path, origin, at }),
      PAGE_DATA[page](db, config, { path, at }),
    ])
    const drawn = await draw(path + search, data)
    return {
      body: String(await shell(head, assets, { ...drawn, css: sheets.map(({ css }) => css) })),
      headers: { 'content-type': 'text/html; charset=UTF-8', 'content-security-policy': policyWith(sheets) },
      // What a home page's plays and a show's goers come to does not move the data version.
      counts: page === '/' || page === '/shows/:id',
    }
  }
}

/**
 * A page that cannot be drawn here is drawn by the browser: the shell is there for every page. A show that is not there
 * is not drawn and not kept: made-up addresses would fill the memory.
 */
function logged(error: unknown): null {
  if (error instanceof Refused && error.code === 'not_found') return null
  if (error instanceof Refused) throw error
  console.error(JSON.stringify({ at: 'render', error: error instanceof Error ? error.name : 'unknown' }))
  return null
}
