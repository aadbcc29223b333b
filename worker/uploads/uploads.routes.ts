import { type Context, Hono } from 'hono'
import { recordAudit } from '../audit/audit'
import type { Endpoint } from '../contract/endpoint'
import { uploadsApi } from '../contract/uploads'
import type { AppEnv } from '../http/app-env'
import { actorOf } from '../http/deps'
import { contentType, readFileBytes } from '../http/request-body'
import { type IncomingFile, type IncomingImage, receiveAudio, receiveImage, receiveVariant } from './receive'
import { parseImageWidth } from './uploads'

export const uploadsRoutes = new Hono<AppEnv>()

async function incomingFile(
  c: Context<AppEnv>,
  endpoint: Endpoint,
  auditAction?: string,
): Promise<IncomingFile & { ownerId: number }> {
  const { actorId, at } = await actorOf(c)
  return {
    db: c.var.db,
    files: c.env.FILES,
    ownerId: actorId,
    at,
    declaredType: contentType(c),
    bytes: readFileBytes(c, endpoint),
    ...(auditAction && {
      statements: (id) => [recordAudit(c.var.db, { actorId, action: auditAction, subject: `upload:${id}`, at })],
    }),
  }
}

const incomingImage = async (
  ...[c, ...args]: Parameters<typeof incomingFile>
): Promise<IncomingImage & { ownerId: number }> => ({
  ...(await incomingFile(c, ...args)),
  color: c.req.query('color'),
  images: c.env.IMAGES,
})

uploadsRoutes.post(uploadsApi.image.path, async (c) =>
  c.json(await receiveImage(await incomingImage(c, uploadsApi.image, 'picture.sent')), 201),
)

uploadsRoutes.post(uploadsApi.variant.path, async (c) => {
  const width = parseImageWidth(c.req.param('width'))
  await receiveVariant({ ...(await incomingImage(c, uploadsApi.variant)), id: c.req.param('id'), width })
  return c.body(null, 204)
})

uploadsRoutes.post(uploadsApi.audio.path, async (c) =>
  c.json(await receiveAudio(await incomingFile(c, uploadsApi.audio, 'recording.sent')), 201),
)
