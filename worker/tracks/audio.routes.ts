import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { secure } from '../auth/cookies'
import { type Streamed, tracksApi } from '../contract/tracks'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { namesEtag } from '../lib/etag'
import { byteRange } from '../lib/range'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { type Listen, listenStarted, sealListen, unsealListen } from './listens'
import { reportStream } from './streams'
import { audioKey, trackIdOf } from './tracks'

export const audioRoutes = new Hono<AppEnv>()

audioRoutes.get(tracksApi.audio.path, async (c) => {
  const id = trackIdOf(c.req.param('id'))
  const caller = await c.var.session.caller()
  const key = await audioKey(c.var.db, { id, tier: caller?.tier ?? 'bronze' })
  const stored = await c.env.FILES.head(key)
  if (!stored) throw new Refused('not_found', 'This track has no recording yet.')

  c.header('accept-ranges', 'bytes')
  c.header('etag', stored.httpEtag)
  // Kept by the listener's own browser alone, and asked about each time: the answer starts a listen and depends on the tier.
  c.header('cache-control', 'private, no-cache')
  const reading = c.req.method === 'GET'
  // A part is only of use to somebody who holds the rest of this very version (If-Range).
  const asked =
    reading && [undefined, stored.httpEtag].includes(c.req.header('if-range')) ? c.req.header('range') : undefined
  const range = byteRange(asked, stored.size)
  if (range === 'unsatisfiable') {
    c.header('content-range', `bytes */${stored.size}`)
    throw new Refused('bad_range', 'That part of the recording does not exist.')
  }
  if (reading && (range === 'whole' || range.offset === 0)) await startListen(c, id)
  if (namesEtag(c.req.header('if-none-match'), stored.httpEtag)) return c.body(null, 304)

  const { offset, length } = range === 'whole' ? { offset: 0, length: stored.size } : range
  c.header('content-type', stored.httpMetadata?.contentType ?? 'audio/mpeg')
  c.header('content-length', String(length))
  if (!reading) return c.body(null, 200)
  const object = await c.env.FILES.get(key, { range: { offset, length }, onlyIf: { etagMatches: stored.etag } })
  // Replaced or removed since we looked: an answer made of both versions would be noise.
  if (!object || !('body' in object))
    throw new Refused('unavailable', 'This recording has just changed. Please try again.')
  if (range !== 'whole') c.header('content-range', `bytes ${offset}-${offset + length - 1}/${stored.size}`)
  return c.body(object.body, range === 'whole' ? 200 : 206)
})

audioRoutes.post(tracksApi.stream.path, limited('LIMIT_WRITES', 'person'), body(tracksApi.stream), async (c) => {
  const at = c.var.now()
  const id = Number(c.req.valid('json').trackId)
  const listen = await unsealListen(c.var.config.signingSecret, getCookie(c, cookieOf(id)), at)
  const userId = (await c.var.session.caller())?.userId ?? null
  const { isSpent, earned } = await reportStream(c.var.db, { trackId: id, userId, listen, at }, (job) =>
    c.env.JOBS.send(job).catch((cause) => {
      throw new Refused('unavailable', 'That play could not be counted just now.', { cause })
    }),
  )
  if (isSpent && listen) await keep(c, { ...listen, spent: true })
  return c.json(earned satisfies Streamed, 202)
})

const PREFIX = 'listen_'
const cookieOf = (id: number) => `${PREFIX}${id}`

async function startListen(c: Context<AppEnv>, id: number) {
  const at = c.var.now()
  const { signingSecret } = c.var.config
  const { [cookieOf(id)]: own, ...cookies } = getCookie(c)
  const standing = await unsealListen(signingSecret, own, at)
  const userId = (await c.var.session.caller())?.userId ?? null
  const others: Listen[] = []
  // Only a visitor without a listen of this track needs another track's, to stay the same listener; one is enough.
  if (userId === null && !standing)
    for (const [name, sealed] of Object.entries(cookies)) {
      const other = name.startsWith(PREFIX) ? await unsealListen(signingSecret, sealed, at) : null
      if (other?.listener.startsWith('v')) {
        others.push(other)
        break
      }
    }
  const started = listenStarted({ trackId: id, userId, standing, others, at })
  if (started) await keep(c, started)
}

/** Path instead of the `__Host-` prefix, which forbids one: no other call has a use for it. */
async function keep(c: Context<AppEnv>, listen: Listen) {
  setCookie(c, cookieOf(listen.trackId), await sealListen(c.var.config.signingSecret, listen), {
    path: '/api/tracks',
    httpOnly: true,
    sameSite: 'Lax',
    secure: secure(c),
    maxAge: limits.audioCookieSeconds,
  })
}
