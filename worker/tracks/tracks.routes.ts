import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { isSecureRequest } from '../auth/cookies'
import { cachedForVisitors, cachedJson } from '../cache/public-reads'
import { type StreamResult, type Track, type TrackLikeResult, tracksApi } from '../contract/tracks'
import type { AppEnv } from '../http/app-env'
import { matchesEtag, parseByteRange } from '../http/downloads'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { limits } from '../limits'
import { type Listen, nextListen, reportStream, signListen, verifyListen } from './streams'
import { allTracks, countClick, findAudioKey, likeTrack, parseTrackId, trendingTracks, unlikeTrack } from './tracks'

export const tracksRoutes = new Hono<AppEnv>()

tracksRoutes.get(
  tracksApi.list.path,
  cachedForVisitors(async ({ db }) =>
    cachedJson((await allTracks(db, { readerId: null })) satisfies Track[], { counts: true }),
  ),
  async (c) =>
    c.json(
      (await allTracks(c.var.db, {
        readerId: (await c.var.session.optionalPayload())?.userId ?? null,
      })) satisfies Track[],
    ),
)

tracksRoutes.get(
  tracksApi.trending.path,
  cachedForVisitors(async ({ db }) =>
    cachedJson((await trendingTracks(db, { readerId: null })) satisfies Track[], { counts: true }),
  ),
  async (c) =>
    c.json(
      (await trendingTracks(c.var.db, {
        readerId: (await c.var.session.optionalPayload())?.userId ?? null,
      })) satisfies Track[],
    ),
)

tracksRoutes.post(tracksApi.play.path, rateLimit('LIMIT_WRITES'), validateBody(tracksApi.play), async (c) => {
  const service = c.req.valid('json')?.service ?? 'unknown'
  await countClick(c.var.db, { id: parseTrackId(c.req.param('id')), service, at: c.var.now() })
  return c.body(null, 204)
})

tracksRoutes.post(tracksApi.like.path, rateLimit('LIMIT_WRITES', 'person'), async (c) => {
  const act = {
    session: await c.var.session.requirePayload(),
    trackId: parseTrackId(c.req.param('id')),
    at: c.var.now(),
  }
  return c.json((await likeTrack(c.var.db, act)) satisfies TrackLikeResult)
})

tracksRoutes.delete(tracksApi.unlike.path, rateLimit('LIMIT_WRITES', 'person'), async (c) => {
  const act = {
    session: await c.var.session.requirePayload(),
    trackId: parseTrackId(c.req.param('id')),
    at: c.var.now(),
  }
  return c.json((await unlikeTrack(c.var.db, act)) satisfies TrackLikeResult)
})

export const audioRoutes = new Hono<AppEnv>()

audioRoutes.get(tracksApi.audio.path, async (c) => {
  const id = parseTrackId(c.req.param('id'))
  const caller = await c.var.session.user()
  const key = await findAudioKey(c.var.db, { id, tier: caller?.tier ?? 'bronze' })
  const stored = await c.env.FILES.head(key)
  if (!stored) throw new AppError('not_found', 'This track has no recording yet.')

  c.header('accept-ranges', 'bytes')
  c.header('etag', stored.httpEtag)
  // Kept by the listener's own browser alone, and asked about each time: the answer starts a listen and depends on the tier.
  c.header('cache-control', 'private, no-cache')
  const isGet = c.req.method === 'GET'
  // A part is only of use to somebody who holds the rest of this very version (If-Range).
  const rangeHeader =
    isGet && [undefined, stored.httpEtag].includes(c.req.header('if-range')) ? c.req.header('range') : undefined
  const range = parseByteRange(rangeHeader, stored.size)
  if (range === 'unsatisfiable') {
    c.header('content-range', `bytes */${stored.size}`)
    throw new AppError('bad_range', 'That part of the recording does not exist.')
  }
  if (isGet && (range === 'whole' || range.offset === 0)) await startListen(c, id)
  if (matchesEtag(c.req.header('if-none-match'), stored.httpEtag)) return c.body(null, 304)

  const { offset, length } = range === 'whole' ? { offset: 0, length: stored.size } : range
  c.header('content-type', stored.httpMetadata?.contentType ?? 'audio/mpeg')
  c.header('content-length', String(length))
  if (!isGet) return c.body(null, 200)
  const object = await c.env.FILES.get(key, { range: { offset, length }, onlyIf: { etagMatches: stored.etag } })
  // Replaced or removed since we looked: an answer made of both versions would be noise.
  if (!object || !('body' in object))
    throw new AppError('unavailable', 'This recording has just changed. Please try again.')
  if (range !== 'whole') c.header('content-range', `bytes ${offset}-${offset + length - 1}/${stored.size}`)
  return c.body(object.body, range === 'whole' ? 200 : 206)
})

audioRoutes.post(
  tracksApi.stream.path,
  rateLimit('LIMIT_WRITES', 'person'),
  validateBody(tracksApi.stream),
  async (c) => {
    const at = c.var.now()
    const id = Number(c.req.valid('json').trackId)
    const listen = await verifyListen(c.var.config.signingSecret, getCookie(c, cookieName(id)), at)
    const userId = (await c.var.session.user())?.userId ?? null
    const { isSpent, earned } = await reportStream(c.var.db, { trackId: id, userId, listen, at }, (job) =>
      c.env.JOBS.send(job).catch((cause) => {
        throw new AppError('unavailable', 'That play could not be counted just now.', { cause })
      }),
    )
    if (isSpent && listen) await setListenCookie(c, { ...listen, spent: true })
    return c.json(earned satisfies StreamResult, 202)
  },
)

const COOKIE_PREFIX = 'listen_'
const cookieName = (id: number) => `${COOKIE_PREFIX}${id}`

async function startListen(c: Context<AppEnv>, id: number) {
  const at = c.var.now()
  const { signingSecret } = c.var.config
  const { [cookieName(id)]: ownCookie, ...cookies } = getCookie(c)
  const currentListen = await verifyListen(signingSecret, ownCookie, at)
  const userId = (await c.var.session.user())?.userId ?? null
  const others: Listen[] = []
  // Only a visitor without a listen of this track needs another track's, to stay the same listener; one is enough.
  if (userId === null && !currentListen)
    for (const [name, signed] of Object.entries(cookies)) {
      const other = name.startsWith(COOKIE_PREFIX) ? await verifyListen(signingSecret, signed, at) : null
      if (other?.listener.startsWith('v')) {
        others.push(other)
        break
      }
    }
  const started = nextListen({ trackId: id, userId, current: currentListen, others, at })
  if (started) await setListenCookie(c, started)
}

/** Path instead of the `__Host-` prefix, which forbids one: no other call has a use for it. */
async function setListenCookie(c: Context<AppEnv>, listen: Listen) {
  setCookie(c, cookieName(listen.trackId), await signListen(c.var.config.signingSecret, listen), {
    path: '/api/tracks',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecureRequest(c),
    maxAge: limits.audioCookieTtlSeconds,
  })
}
