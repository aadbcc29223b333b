import { Hono } from 'hono'
import { cachedJson, cachedPublicRead } from '../cache/public-reads'
import { type Download, downloadsApi, type VariantFormats } from '../contract/downloads'
import type { AppEnv } from '../http/app-env'
import { depsOf } from '../http/deps'
import { sendStoredFile } from '../http/send-stored-file'
import { getOrder } from '../orders/orders'
import { findDownload, listLibrary, listOrderDownloads, listVariantFormats } from './access'

export const downloadsRoutes = new Hono<AppEnv>()

downloadsRoutes.get(
  downloadsApi.formats.path,
  cachedPublicRead(async ({ db }) => cachedJson((await listVariantFormats(db)) satisfies VariantFormats[])),
)

downloadsRoutes.get(downloadsApi.ofOrder.path, async (c) => {
  const id = c.req.param('id')
  const secret = c.req.query('client_secret') ?? ''
  const at = c.var.now()
  // Throws unless the secret gives access to the order.
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
