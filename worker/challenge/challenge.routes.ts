import { type Context, Hono } from 'hono'
import { readDevice } from '../auth/cookies'
import { cachedJson, cachedPublicRead, sendCached } from '../cache/public-reads'
import { challengeApi, type MyBallot, type MyChallenge, type PublicChallenge } from '../contract/challenge'
import { type HallOfFameEntry, hallOfFameApi } from '../contract/hall-of-fame'
import { audioExtension } from '../contract/uploads'
import type { AppEnv } from '../http/app-env'
import { clientAddress64, clientNetwork48, clientPrefix48 } from '../http/client-address'
import { depsOf } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { contentType, readFileBytes } from '../http/request-body'
import { sendStoredFile } from '../http/send-stored-file'
import { requireTurnstile } from '../http/turnstile'
import { validateBody } from '../http/validate'
import { findBeat, getChallenge, getCurrentChallenge, getHallOfFame, getPublishedDigest } from './challenge'
import { confirmVerse } from './confirm-verse'
import { getFinalistAudioKey } from './finalists'
import { ensureTallyFile } from './finalize'
import { getMyChallenge } from './my-challenge'
import { saveVerseAudio, submitVerse } from './submit-verse'
import { castBallot } from './vote'
import { withdrawByToken, withdrawUserVerse } from './withdraw'

export const challengeRoutes = new Hono<AppEnv>()
const api = challengeApi
const PUBLIC_CACHE_CONTROL = 'public, no-cache'
/** The client's IPv4 address or IPv6 /48: a provider can assign a whole /48 to one customer. */
const clientAddress48 = (c: Context<AppEnv>) => clientPrefix48(c) ?? clientAddress64(c)

challengeRoutes.get(
  hallOfFameApi.hallOfFame.path,
  cachedPublicRead(async ({ db, at }) =>
    cachedJson((await getHallOfFame(db, at)) satisfies HallOfFameEntry, { hasCounters: true }),
  ),
)

challengeRoutes.get(
  api.current.path,
  cachedPublicRead(async ({ db, at }) =>
    cachedJson((await getCurrentChallenge(db, at)) satisfies PublicChallenge | null, { hasCounters: true }),
  ),
)

challengeRoutes.get(api.challenge.path, (c) => {
  const id = c.req.param('id')
  return sendCached(c, `/api/challenges/${id}`, async ({ db, at }) =>
    cachedJson((await getChallenge(db, id, at)) satisfies PublicChallenge, { hasCounters: true }),
  )
})

challengeRoutes.get(api.mine.path, async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  const input = { challengeId: c.req.param('id'), userId, at: c.var.now() }
  return c.json((await getMyChallenge(depsOf(c), input)) satisfies MyChallenge)
})

challengeRoutes.post(api.uploadRecording.path, rateLimit('LIMIT_MAIL', 'user'), async (c) => {
  const upload = {
    ownerId: (await c.var.session.user())?.userId ?? null,
    at: c.var.now(),
    declaredType: contentType(c),
    bytes: readFileBytes(c, api.uploadRecording),
    address: clientAddress48(c),
  }
  return c.json(await saveVerseAudio(depsOf(c), upload), 201)
})

challengeRoutes.post(
  api.submit.path,
  rateLimit('LIMIT_MAIL', 'user'),
  validateBody(api.submit),
  requireTurnstile('verse'),
  async (c) => {
    const entrant = await c.var.session.user()
    const draft = c.req.valid('json')
    const input = { challengeId: c.req.param('id'), draft, entrant, network: clientNetwork48(c), at: c.var.now() }
    const verse = await submitVerse(depsOf(c), input)
    return c.json(verse, 201)
  },
)

challengeRoutes.post(api.confirmVerse.path, rateLimit('LIMIT_WRITES'), validateBody(api.confirmVerse), async (c) => {
  await confirmVerse(depsOf(c), c.req.valid('json').token, c.var.now())
  return c.json({ confirmed: true } as const)
})

challengeRoutes.post(
  api.withdrawByToken.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(api.withdrawByToken),
  async (c) => {
    await withdrawByToken(depsOf(c), c.req.valid('json').token, c.var.now())
    return c.json({ withdrawn: true } as const)
  },
)

challengeRoutes.delete(api.withdrawMyVerse.path, rateLimit('LIMIT_WRITES', 'user'), async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  const input = { challengeId: c.req.param('id'), userId, at: c.var.now() }
  await withdrawUserVerse(depsOf(c), input)
  return c.body(null, 204)
})

challengeRoutes.get(api.beat.path, async (c) => {
  const { key, fileName } = await findBeat(c.var.db, c.req.param('id'))
  return sendStoredFile(c, key, {
    fileName: c.req.query('download') === undefined ? null : (type) => `${fileName}.${audioExtension(type)}`,
    cacheControl: PUBLIC_CACHE_CONTROL,
    noun: 'recording',
  })
})

challengeRoutes.get(api.finalistAudio.path, async (c) => {
  const key = await getFinalistAudioKey(c.var.db, { id: c.req.param('id'), at: c.var.now() })
  return sendStoredFile(c, key, { fileName: null, cacheControl: PUBLIC_CACHE_CONTROL })
})

challengeRoutes.post(api.vote.path, rateLimit('LIMIT_WRITES', 'user'), validateBody(api.vote), async (c) => {
  const ballot = await castBallot(depsOf(c), {
    session: await c.var.session.requirePayload(),
    challengeId: c.req.param('id'),
    finalistId: c.req.valid('json').finalistId,
    source: { address: clientAddress48(c), device: (await readDevice(c))?.id ?? null },
    at: c.var.now(),
  })
  return c.json(ballot satisfies MyBallot)
})

challengeRoutes.get(api.tally.path, async (c) => {
  const challengeId = c.req.param('id')
  const sha256 = await getPublishedDigest(c.var.db, { id: challengeId, at: c.var.now() })
  const key = await ensureTallyFile(depsOf(c), { challengeId, sha256 })
  return sendStoredFile(c, key, { fileName: `tally-${challengeId}.csv`, cacheControl: PUBLIC_CACHE_CONTROL })
})
