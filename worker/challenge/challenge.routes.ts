import { Hono } from 'hono'
import { readDevice } from '../auth/device'
import { houseOf } from '../auth/enter'
import { type Challenge, challengeApi } from '../contract/challenge'
import { type CurrentChallenge, challengeNowApi, type MyChallenge, type OwnBallot } from '../contract/challenge-now'
import type { AppEnv } from '../http/app-env'
import { bareType, fileBytes } from '../http/body'
import { keptForAll, keptJson, sendKept } from '../http/public-read'
import { limited } from '../http/rate-limit'
import { storedFile } from '../http/stored-file'
import { body } from '../http/validate'
import { visitorAddress } from '../http/visitor-address'
import { hallOfFame, publishedSeal } from './challenge'
import { currentChallenge, oneChallenge } from './current'
import { finalistAudioKey } from './finalists'
import { myChallenge } from './mine'
import { receiveRecording, submitVerse } from './submit'
import { tallyKey } from './tally'
import { castBallot } from './vote'
import { withdrawByMail, withdrawOwn } from './withdraw'

export const challengeRoutes = new Hono<AppEnv>()
const api = challengeNowApi
/** Everybody may keep it and asks before playing it again. */
const PUBLIC = 'public, no-cache'

challengeRoutes.get(
  challengeApi.hallOfFame.path,
  keptForAll(async ({ db, at }) => keptJson((await hallOfFame(db, at)) satisfies Challenge, { counts: true })),
)

challengeRoutes.get(
  api.current.path,
  keptForAll(async ({ db, at }) =>
    keptJson((await currentChallenge(db.$client, at)) satisfies CurrentChallenge | null, { counts: true }),
  ),
)

challengeRoutes.get(api.one.path, (c) => {
  const id = c.req.param('id')
  return sendKept(c, `/api/challenges/${id}`, async ({ db, at }) =>
    keptJson((await oneChallenge(db.$client, id, at)) satisfies CurrentChallenge, { counts: true }),
  )
})

challengeRoutes.get(api.mine.path, async (c) => {
  const { userId } = await c.var.session.supporter()
  const own = { challengeId: c.req.param('id'), userId, at: c.var.now() }
  return c.json((await myChallenge(houseOf(c), own)) satisfies MyChallenge)
})

challengeRoutes.post(api.sendRecording.path, limited('LIMIT_MAIL', 'person'), async (c) => {
  const sender = {
    db: c.env.DB,
    files: c.env.FILES,
    ownerId: (await c.var.session.caller())?.userId ?? null,
    at: c.var.now(),
    saidType: bareType(c),
    bytes: fileBytes(c, api.sendRecording),
    address: visitorAddress(c),
  }
  return c.json(await receiveRecording(houseOf(c), sender), 201)
})

challengeRoutes.post(api.submit.path, limited('LIMIT_MAIL', 'person'), body(api.submit), async (c) => {
  const userId = (await c.var.session.caller())?.userId ?? null
  const draft = c.req.valid('json')
  const verse = await submitVerse(houseOf(c), { challengeId: c.req.param('id'), draft, userId, at: c.var.now() })
  return c.json(verse, 201)
})

challengeRoutes.post(api.withdraw.path, limited('LIMIT_WRITES'), body(api.withdraw), async (c) => {
  await withdrawByMail({ ...houseOf(c), files: c.env.FILES }, c.req.valid('json').token, c.var.now())
  return c.json({ withdrawn: true } as const)
})

challengeRoutes.delete(api.withdrawOwn.path, limited('LIMIT_WRITES', 'person'), async (c) => {
  const { userId } = await c.var.session.supporter()
  const own = { challengeId: c.req.param('id'), userId, at: c.var.now() }
  await withdrawOwn({ db: c.env.DB, files: c.env.FILES }, own)
  return c.body(null, 204)
})

challengeRoutes.get(api.finalistAudio.path, async (c) => {
  const key = await finalistAudioKey(c.env.DB, { id: c.req.param('id'), at: c.var.now() })
  return storedFile(c, key, { fileName: null, cacheControl: PUBLIC })
})

challengeRoutes.post(api.vote.path, limited('LIMIT_WRITES', 'person'), body(api.vote), async (c) => {
  const ballot = await castBallot(houseOf(c), {
    claim: await c.var.session.claimed(),
    challengeId: c.req.param('id'),
    finalistId: c.req.valid('json').finalistId,
    from: { address: visitorAddress(c), device: (await readDevice(c))?.device ?? null },
    at: c.var.now(),
  })
  return c.json(ballot satisfies OwnBallot)
})

challengeRoutes.get(api.tally.path, async (c) => {
  const challengeId = c.req.param('id')
  const sha256 = await publishedSeal(c.env.DB, { id: challengeId, at: c.var.now() })
  const key = await tallyKey({ db: c.env.DB, files: c.env.FILES }, { challengeId, sha256 })
  return storedFile(c, key, { fileName: `tally-${challengeId}.csv`, cacheControl: PUBLIC })
})
