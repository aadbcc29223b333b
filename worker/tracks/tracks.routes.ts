import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { ensureDevice, usesSecureCookies } from '../auth/cookies'
import { cachedForVisitors, cachedJson } from '../cache/public-reads'
import { type StreamResult, type Track, type TrackLikeResult, tracksApi } from '../contract/tracks'
import type { AppEnv } from '../http/app-env'
import { clientNetwork48 } from '../http/client-address'
import { depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { sendStoredFile } from '../http/send-stored-file'
import { validateBody } from '../http/validate'
import { sign } from '../lib/crypto'
import { limits } from '../limits'
import { isUploadKey } from '../uploads/uploads'
import { enqueueStream, type Listen, nextListen, reportStream, signListen, verifyListen } from './streams'
import {
  countClick,
  findAudioKey,
  likeTrack,
  listAllTracks,
  listTrendingTracks,
  parseTrackId,
  unlikeTrack,
} from './tracks'

export const tracksRoutes = new Hono<AppEnv>()

for (const { path, listTracks } of [
  { path: tracksApi.list.path, listTracks: listAllTracks },
  { path: tracksApi.trending.path, listTracks: listTrendingTracks },
])
  tracksRoutes.get(
    path,
    cachedForVisitors(async ({ db, at }) =>
      cachedJson((await listTracks(db, { readerId: null, at })) satisfies Track[], { hasCounters: true }),
    ),
    async (c) => {
      const reader = await c.var.session.userIfAvailable()
      return c.json(
        (await listTracks(c.var.db, { readerId: reader?.userId ?? null, at: c.var.now() })) satisfies Track[],
      )
    },
  )

tracksRoutes.post(
  tracksApi.countClick.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(tracksApi.countClick),
  async (c) => {
    const service = c.req.valid('json')?.service ?? 'unknown'
    await countClick(c.var.db, { id: parseTrackId(c.req.param('id')), service, at: c.var.now() })
    return c.body(null, 204)
  },
)

const likeInput = async (c: Context<AppEnv>, id: string) => ({
  session: await c.var.session.requirePayload(),
  trackId: parseTrackId(id),
  at: c.var.now(),
})

tracksRoutes.post(tracksApi.like.path, rateLimit('LIMIT_WRITES', 'user'), async (c) =>
  c.json((await likeTrack(c.var.db, await likeInput(c, c.req.param('id')))) satisfies TrackLikeResult),
)

tracksRoutes.delete(tracksApi.unlike.path, rateLimit('LIMIT_WRITES', 'user'), async (c) =>
  c.json((await unlikeTrack(c.var.db, await likeInput(c, c.req.param('id')))) satisfies TrackLikeResult),
)

tracksRoutes.get(tracksApi.audio.path, async (c) => {
  const id = parseTrackId(c.req.param('id'))
  const caller = await c.var.session.user()
  const key = await findAudioKey(c.var.db, { id, tier: caller?.tier ?? 'bronze', at: c.var.now() })
  // A preload starts no listen, because the track may never be played.
  return sendTrackAudio(c, key, c.req.query('preload') === '1' ? undefined : () => startListen(c, id))
})

/** Sends an audio file; `onReadFromStart` runs when its beginning is requested. */
export const sendTrackAudio = (c: Context<AppEnv>, key: string, onReadFromStart: (() => Promise<void>) | undefined) =>
  sendStoredFile(c, key, {
    fileName: null,
    isImmutable: isUploadKey(key),
    // Revalidated each time: the request starts a listen, and access depends on the tier.
    cacheControl: 'private, no-cache',
    defaultType: 'audio/mpeg',
    noun: 'recording',
    notFoundMessage: 'This track has no recording yet.',
    onReadFromStart,
  })

tracksRoutes.post(
  tracksApi.reportStream.path,
  rateLimit('LIMIT_WRITES', 'user'),
  validateBody(tracksApi.reportStream),
  async (c) => {
    const at = c.var.now()
    const id = Number(c.req.valid('json').trackId)
    const listen = await verifyListen(c.var.config.signingSecret, getCookie(c, cookieName(id)), at)
    const userId = (await c.var.session.user())?.userId ?? null
    const { isSpent, earned } = await reportStream(
      depsOf(c),
      { trackId: id, userId, listen, network: clientNetwork48(c), at },
      enqueueStream(c.env.JOBS),
    )
    if (isSpent && listen) await setListenCookie(c, { ...listen, isSpent: true })
    return c.json(earned satisfies StreamResult, 202)
  },
)

const cookieName = (id: number) => `listen_${id}`

async function startListen(c: Context<AppEnv>, id: number): Promise<void> {
  const at = c.var.now()
  const { signingSecret } = c.var.config
  const current = await verifyListen(signingSecret, getCookie(c, cookieName(id)), at)
  const userId = (await c.var.session.user())?.userId ?? null
  const device = await ensureDevice(c)
  const visitor = `${device.isNew ? 'n' : 'v'}${await sign(signingSecret, 'listener', device.id)}`
  const listener = userId === null ? visitor : `u${userId}`
  const started = nextListen({ trackId: id, listener, current, at })
  if (started) await setListenCookie(c, started)
}

/** The cookie is sent with calls about tracks only. A cookie with such a path cannot have the prefix `__Host-`. */
async function setListenCookie(c: Context<AppEnv>, listen: Listen): Promise<void> {
  setCookie(c, cookieName(listen.trackId), await signListen(c.var.config.signingSecret, listen), {
    path: '/api/tracks',
    httpOnly: true,
    sameSite: 'Lax',
    secure: usesSecureCookies(c),
    maxAge: limits.audioCookieTtlSeconds,
  })
}
