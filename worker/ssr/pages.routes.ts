import { Hono } from 'hono'
import { readCookie, SESSION_COOKIE } from '../auth/cookies'
import { sendCached } from '../cache/public-reads'
import type { LoadResponse } from '../cache/response-cache'
import { findPage, type Page } from '../contract/pages'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { policyFor } from '../http/headers'
import { notFound } from '../http/on-error'
import type { RouteGroup } from '../http/route-group'
import { AppError } from '../lib/app-error'
import { logError } from '../lib/log'
import { assetsOf, policyWithStyles } from './build-output'
import { buildHead } from './head'
import {
  canonicalPath,
  canonicalSearch,
  findMovedPath,
  isRendered,
  loadPageData,
  PAGE_DEFINITIONS,
  pathWithoutTrailingSlash,
} from './pages'
import type { RenderPage } from './render-page'
import { renderShell } from './shell'

declare module 'hono' {
  interface ContextVariableMap {
    render: RenderPage
  }
}

export const pagesRoutes = new Hono<AppEnv>()
/** The routes of pages; none is an API endpoint. */
export const pageRouteGroup: RouteGroup = { endpoints: [], routes: [pagesRoutes] }

/** Paths that are never pages: the response is a plain error, not the 404 page. */
const NOT_A_PAGE = /^\/(api|assets|media)(\/|$)|\.[a-z0-9]{2,12}$/i

pagesRoutes.get('*', async (c) => {
  const { path } = c.req
  if (NOT_A_PAGE.test(path)) return notFound(c)
  const { search } = new URL(c.req.url)
  const trimmedPath = pathWithoutTrailingSlash(path)
  if (trimmedPath) return c.redirect(`${trimmedPath}${search}`, 308)
  const page = findPage(path)
  if (isRendered(page)) {
    const location = { path: canonicalPath(page, path), search: canonicalSearch(page, search) }
    const { showsPosts } = PAGE_DEFINITIONS[page]
    const isVisitor = readCookie(c, SESSION_COOKIE.supporter) === undefined
    const load = createPageLoader(page, { ...location, isVisitor }, c.var.render)
    const key = `${location.path}${location.search}${isVisitor ? '' : ' with a session'}`
    c.header('vary', 'cookie')
    const response = await sendCached(c, key, load, { showsPosts, variesByCookie: true }).catch(fallBackToShell)
    if (response) return response
    const movedPath = await findMovedPath(page, path, c.var.db)
    if (movedPath && movedPath !== location.path) return c.redirect(`${movedPath}${search}`, 301)
  }
  const head = await buildHead(c.var.db, { page, path, origin: siteOrigin(c), at: c.var.now() })
  const assets = assetsOf(page && PAGE_DEFINITIONS[page].chunk)
  return c.html(renderShell(head, assets), head.exists ? 200 : 404)
})

/** What a rendered page depends on: canonical parts of the URL, and whether the request has no session cookie. */
type RenderedPageRequest = { path: string; search: string; isVisitor: boolean }

/**
 * Loads a page rendered for visitors. With a session cookie, the browser renders the parts that differ for supporters.
 */
function createPageLoader(
  page: Page,
  { path, search, isVisitor }: RenderedPageRequest,
  renderPage: RenderPage,
): LoadResponse {
  return async ({ db, config, origin, at }) => {
    const [head, data] = await Promise.all([
      buildHead(db, { page, path, origin, at }),
      loadPageData(page, db, config, { path, at }),
    ])
    const rendered = await renderPage(path + search, isVisitor ? { ...data, isVisitor } : data)
    const policy = policyFor({ hasTurnstile: config.turnstile !== null, imagesOrigin: config.publicImagesOrigin })
    const assets = assetsOf(PAGE_DEFINITIONS[page].chunk)
    return {
      body: String(await renderShell(head, assets, rendered)),
      headers: {
        'content-type': 'text/html; charset=UTF-8',
        'content-security-policy': policyWithStyles(policy, assets),
      },
      hasCounters: PAGE_DEFINITIONS[page].hasCounters === true,
    }
  }
}

/**
 * Null after an unexpected error or for a missing record: the route then redirects a moved page, or sends the shell,
 * uncached, because URLs of unknown records would fill the cache. @throws any other AppError.
 */
function fallBackToShell(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null
  if (error instanceof AppError) throw error
  logError('render', error)
  return null
}
