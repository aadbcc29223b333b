import { Hono } from 'hono'
import { recordDownload } from '../audit/record-download'
import { type Archive, archivesApi } from '../contract/archives'
import type { AppEnv } from '../http/app-env'
import { actorOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { sendStoredFile } from '../http/send-stored-file'
import { validateBody } from '../http/validate'
import { findArchive, listArchives, requestArchive } from './archives'

export const archivesRoutes = new Hono<AppEnv>()

archivesRoutes.get(archivesApi.list.path, async (c) => c.json((await listArchives(c.var.db)) satisfies Archive[]))

archivesRoutes.post(
  archivesApi.request.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(archivesApi.request),
  async (c) => {
    const archive = await requestArchive(c.var.db, { ...c.req.valid('json'), ...(await actorOf(c)) })
    // If this fails, the five-minute job sends the message again.
    await c.env.EXPORTS.send({ kind: 'archive', id: archive.id }).catch(() => undefined)
    return c.json(archive satisfies Archive, 202)
  },
)

archivesRoutes.get(archivesApi.file.path, async (c) => {
  const id = c.req.param('id')
  const { key, fileName } = await findArchive(c.var.db, id)
  const response = await sendStoredFile(c, key, { fileName })
  await recordDownload(c.var.db, {
    ...(await actorOf(c)),
    method: c.req.method,
    response,
    action: 'archive.downloaded',
    subject: `archive:${id}`,
  })
  return response
})
