import { type Context, Hono } from 'hono'
import { recordAudit } from '../audit/audit'
import type { Endpoint } from '../contract/endpoint'
import { IMAGE_WIDTHS } from '../contract/images'
import { uploadsApi } from '../contract/uploads'
import type { AppEnv } from '../http/app-env'
import { actorOf } from '../http/deps'
import { contentType, readFileBytes } from '../http/request-body'
import { AppError } from '../lib/app-error'
import { type IncomingUpload, receiveAudio, receiveImage, receiveVariant } from './receive'

export const uploadsRoutes = new Hono<AppEnv>()

async function incomingUpload(
  c: Context<AppEnv>,
  endpoint: Endpoint,
  auditAction?: string,
): Promise<IncomingUpload & { ownerId: number }> {
  const { actorId, at } = await actorOf(c)
  return {
    db: c.var.db,
    files: c.env.FILES,
    ownerId: actorId,
    at,
    declaredType: contentType(c),
    bytes: readFileBytes(c, endpoint),
    color: c.req.query('color'),
    images: c.env.IMAGES,
    ...(auditAction && {
      statements: (id) => [recordAudit(c.var.db, { actorId, action: auditAction, subject: `upload:${id}`, at })],
    }),
  }
}

uploadsRoutes.post(uploadsApi.image.path, async (c) =>
  c.json(await receiveImage(await incomingUpload(c, uploadsApi.image, 'picture.sent')), 201),
)

uploadsRoutes.post(uploadsApi.variant.path, async (c) => {
  const width = IMAGE_WIDTHS.find((candidate) => String(candidate) === c.req.param('width'))
  if (!width) throw new AppError('bad_input', `A picture comes in these widths: ${IMAGE_WIDTHS.join(', ')}.`)
  await receiveVariant({ ...(await incomingUpload(c, uploadsApi.variant)), id: c.req.param('id'), width })
  return c.body(null, 204)
})

uploadsRoutes.post(uploadsApi.audio.path, async (c) =>
  c.json(await receiveAudio(await incomingUpload(c, uploadsApi.audio, 'recording.sent')), 201),
)
