import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { EmbedStreamReport, tracksApi } from '../contract/tracks'
import type { AppEnv } from '../http/app-env'
import { clientNetwork48 } from '../http/client-address'
import { depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { AppError } from '../lib/app-error'
import { enqueueStream, newEmbedListen, reportStream, signListen, verifyListen } from './streams'
import { findAudioKey, parseTrackId } from './tracks'
import { sendTrackAudio } from './tracks.routes'

/**
 * Audio for embeds and podcast apps, and the report of an embed's stream. Other origins may call both, so neither reads
 * or sets a cookie: every caller is a visitor.
 */
export const embedAudioRoutes = new Hono<AppEnv>()

const LISTEN_HEADER = 'listen-token'

const allowOtherOrigins = createMiddleware<AppEnv>(async (c, next) => {
  c.header('cross-origin-resource-policy', 'cross-origin')
  c.header('access-control-allow-origin', '*')
  c.header('access-control-expose-headers', LISTEN_HEADER)
  await next()
})

embedAudioRoutes.get(tracksApi.embedAudio.path, allowOtherOrigins, async (c) => {
  const id = parseTrackId(c.req.param('id'))
  const at = c.var.now()
  const key = await findAudioKey(c.var.db, { id, tier: 'bronze', at })
  return sendTrackAudio(c, key, async () =>
    c.header(LISTEN_HEADER, await signListen(c.var.config.signingSecret, newEmbedListen(id, at))),
  )
})

/** The body is JSON in a `text/plain` request, which needs no preflight. */
embedAudioRoutes.post(tracksApi.reportEmbedStream.path, allowOtherOrigins, rateLimit('LIMIT_WRITES'), async (c) => {
  const report = EmbedStreamReport.safeParse(await c.req.json().catch(() => null)).data
  if (!report) throw new AppError('bad_input', 'The report must have a track and a listen token.')
  const at = c.var.now()
  const listen = await verifyListen(c.var.config.signingSecret, report.listen, at)
  await reportStream(
    depsOf(c),
    { trackId: report.trackId, userId: null, listen, network: clientNetwork48(c), at },
    enqueueStream(c.env.JOBS),
  )
  return c.body(null, 202)
})
