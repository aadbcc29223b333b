import { type Context, Hono } from 'hono'
import { recorded } from '../audit/audit'
import type { Endpoint } from '../contract/endpoint'
import { PICTURE_WIDTHS } from '../contract/pictures'
import { uploadsApi } from '../contract/uploads'
import type { AppEnv } from '../http/app-env'
import { bareType, fileBytes } from '../http/body'
import { Refused } from '../lib/refused'
import { receiveAudio, receivePicture, receiveRendition, type Sender } from './receive'

export const uploadsRoutes = new Hono<AppEnv>()

async function sender(c: Context<AppEnv>, endpoint: Endpoint, act?: string): Promise<Sender & { ownerId: number }> {
  const [actorId, at] = [(await c.var.session.administrator()).userId, c.var.now()]
  return {
    db: c.env.DB,
    files: c.env.FILES,
    ownerId: actorId,
    at,
    saidType: bareType(c),
    bytes: fileBytes(c, endpoint),
    ...(act && { also: (id) => [recorded(c.env.DB, { actorId, action: act, subject: `upload:${id}`, at })] }),
  }
}

uploadsRoutes.post(uploadsApi.picture.path, async (c) =>
  c.json(await receivePicture(await sender(c, uploadsApi.picture, 'picture.sent')), 201),
)

uploadsRoutes.post(uploadsApi.rendition.path, async (c) => {
  const width = PICTURE_WIDTHS.find((one) => String(one) === c.req.param('width'))
  if (!width) throw new Refused('bad_input', `A picture comes in these widths: ${PICTURE_WIDTHS.join(', ')}.`)
  await receiveRendition({ ...(await sender(c, uploadsApi.rendition)), id: c.req.param('id'), width })
  return c.body(null, 204)
})

uploadsRoutes.post(uploadsApi.audio.path, async (c) =>
  c.json(await receiveAudio(await sender(c, uploadsApi.audio, 'recording.sent')), 201),
)
