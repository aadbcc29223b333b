import { Hono } from 'hono'
import { sendCached } from '../cache/public-reads'
import type { LoadResponse } from '../cache/response-cache'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { notFound } from '../http/on-error'
import { AppError } from '../lib/app-error'
import { assets, css, policyWithStyles } from './build-output'
import { buildHead } from './head'
import {
  canonicalPath,
  canonicalSearch,
  findPage,
  isRendered,
  PAGE_DATA,
  pathWithoutTrailingSlash,
  type RenderedPage,
} from './pages'
import { renderShell } from './shell'

export const pagesRoutes = new Hono<AppEnv>()

/** Paths that never are pages: an unknown one is a sentence, not the 404 card. */
const NOT_A_PAGE = /^\/(api|assets|media)(\/|$)|\.[a-z0-9]{2,12}$/i

pagesRoutes.get('*', async (c) => {
  const { path } = c.req
  if (NOT_A_PAGE.test(path)) return notFound(c)
  const { search } = new URL(c.req.url)
  // One address a page: search engines and caches would hold two otherwise.
  const canonical = pathWithoutTrailingSlash(path)
  if (canonical) return c.redirect(`${canonical}${search}`, 308)
  const page = findPage(path)
  if (isRendered(page)) {
    const at = { path: canonicalPath(page, path), search: canonicalSearch(page, search) }
    const response = await sendCached(c, at.path + at.search, pageLoader(page, at, c.var.render)).catch(logRenderError)
    if (response) return response
  }
  const head = await buildHead(c.var.db, { page, path, origin: siteOrigin(c), at: c.var.now() })
  return c.html(renderShell(head, assets), head.exists ? 200 : 404)
})

/** Of an address, what a page is drawn from: each in one spelling. */
type PageLocation = { path: string; search: string }

/** Draws a page as a visitor sees it, with what it was drawn from. */
function pageLoader(
  page: RenderedPage,
  { path, search }: PageLocation,
  renderPage: AppEnv['Variables']['render'],
): LoadResponse {
  return async ({ db, config, origin, at }) => {
    const [head, data] = await Promise.all([
      buildHead(db, { page, path, origin, at }),
      PAGE_DATA[page](db, config, { path, at }),
    ])
    const rendered = await renderPage(path + search, data)
    return {
      body: String(await renderShell(head, assets, { ...rendered, css })),
      headers: { 'content-type': 'text/html; charset=UTF-8', 'content-security-policy': policyWithStyles },
      // What a home page's plays and a show's goers come to does not move the data version.
      hasCounters: page === '/' || page === '/shows/:id',
    }
  }
}

/**
 * A page that cannot be drawn here is drawn by the browser: the shell is there for every page. A show that is not there
 * is not drawn and not kept: made-up addresses would fill the memory.
 */
function logRenderError(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  if (error instanceof AppError) throw error
  console.error(JSON.stringify({ at: 'render', error: error instanceof Error ? error.name : 'unknown' }))
  return null
}
