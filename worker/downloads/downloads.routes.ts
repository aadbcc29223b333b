import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { cachedJson, cachedPublicRead } from '../cache/public-reads'
import { type Download, downloadsApi, type VariantFormats } from '../contract/downloads'
import type { AppEnv } from '../http/app-env'
import { depsOf } from '../http/deps'
import { sendStoredFile } from '../http/downloads'
import { logError } from '../lib/log'
import { getOrder } from '../orders/orders'
import { prepareDownloads } from './prepare'
import { findDownload, listLibrary, listOrderDownloads, listVariantFormats } from './rights'

export const downloadsRoutes = new Hono<AppEnv>()

downloadsRoutes.get(
  downloadsApi.formats.path,
  cachedPublicRead(async ({ db }) => cachedJson((await listVariantFormats(db)) satisfies VariantFormats[])),
)

downloadsRoutes.get(downloadsApi.ofOrder.path, async (c) => {
  const [id, secret, at] = [c.req.param('id'), c.req.query('client_secret') ?? '', c.var.now()]
  await getOrder(c.var.db, { id, secret, signingSecret: c.var.config.signingSecret, at })
  return c.json((await listOrderDownloads({ ...depsOf(c), at }, id)) satisfies Download[])
})

downloadsRoutes.get(downloadsApi.library.path, async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  return c.json((await listLibrary({ ...depsOf(c), at: c.var.now() }, userId)) satisfies Download[])
})

downloadsRoutes.get(downloadsApi.file.path, async (c) => {
  const { key, fileName } = await findDownload({ ...depsOf(c), at: c.var.now() }, c.req.param('token'))
  return sendStoredFile(c, key, { fileName })
})

/** Admin writes that can make prepared files missing or outdated. */
const CHANGES_GOODS = /^\/api\/admin\/(releases|tracks|products|master-uploads|download-codes)(\/(?!.*\/parts\/)|$)/

/** Prepares files after an admin's change. The scheduled job does the same. */
export const prepareAfterAdminWrite = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (c.req.method === 'GET' || !c.res.ok || !CHANGES_GOODS.test(c.req.path)) return
  c.executionCtx.waitUntil(
    prepareDownloads(c.env, c.var.now()).catch((error: unknown) => logError('prepare-downloads', error)),
  )
})
