import { Hono } from 'hono'
import {
  type AdminChallenge,
  adminChallengeApi,
  adminSubmissionsApi,
  type VerseSubmission,
} from '../contract/admin-challenge'
import type { TallySeal } from '../contract/challenge'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { sendStoredFile } from '../http/send-stored-file'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import {
  addChallenge,
  advanceState,
  finalizeManually,
  listAdminChallenges,
  removeChallenge,
  restoreChallenge,
  updateChallenge,
} from './admin-challenges'
import { listFlaggedBallots, listListeningQueue, listSubmissions } from './admin-list'
import { acceptNewAccounts, decideFlag } from './ballot-flags'
import { setFinalists } from './finalists'
import { getVerseAudioKey, rateVerse, revealSubmission, updateVerse } from './submissions'

export const challengeAdminRoutes = new Hono<AppEnv>()
const api = adminChallengeApi

challengeAdminRoutes.get(adminSubmissionsApi.submissions.path, async (c) => {
  const { actorId: userId } = await actorOf(c)
  return sendPage(c, await listSubmissions(c.var.db, { ...parseListQuery(c), userId }))
})

challengeAdminRoutes.get(adminSubmissionsApi.ofChallenge.path, async (c) => {
  const { actorId: userId } = await actorOf(c)
  return sendPage(c, await listSubmissions(c.var.db, { ...parseListQuery(c), userId, challengeId: c.req.param('id') }))
})

challengeAdminRoutes.get(adminSubmissionsApi.listening.path, async (c) => {
  const { actorId: userId } = await actorOf(c)
  return c.json(
    (await listListeningQueue(c.var.db, { challengeId: c.req.param('id'), userId })) satisfies VerseSubmission[],
  )
})

challengeAdminRoutes.post(adminSubmissionsApi.rate.path, validateBody(adminSubmissionsApi.rate), async (c) =>
  c.json(
    (await rateVerse(c.var.db, {
      id: c.req.param('id'),
      ...c.req.valid('json'),
      ...(await actorOf(c)),
    })) satisfies VerseSubmission,
  ),
)

challengeAdminRoutes.post(adminSubmissionsApi.reveal.path, async (c) =>
  c.json(
    (await revealSubmission(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) })) satisfies VerseSubmission,
  ),
)

challengeAdminRoutes.get(api.verseAudio.path, async (c) =>
  sendStoredFile(c, await getVerseAudioKey(c.var.db, c.req.param('id')), { fileName: null }),
)

challengeAdminRoutes.patch(api.updateVerse.path, validateBody(api.updateVerse), async (c) => {
  await updateVerse(c.var.db, { id: c.req.param('id'), ...c.req.valid('json'), ...(await actorOf(c)) })
  return c.body(null, 204)
})

challengeAdminRoutes.get(api.challenges.path, async (c) =>
  c.json((await listAdminChallenges(depsOf(c), c.var.now())) satisfies AdminChallenge[]),
)

challengeAdminRoutes.post(api.addChallenge.path, validateBody(api.addChallenge), async (c) =>
  c.json({ id: await addChallenge(c.var.db, c.req.valid('json'), await actorOf(c)) }, 201),
)

challengeAdminRoutes.patch(api.updateChallenge.path, validateBody(api.updateChallenge), async (c) => {
  await updateChallenge(c.var.db, c.req.valid('json'), { id: c.req.param('id'), ...(await actorOf(c)) })
  return c.body(null, 204)
})

challengeAdminRoutes.delete(api.removeChallenge.path, async (c) => {
  await removeChallenge(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) })
  return c.body(null, 204)
})

challengeAdminRoutes.post(api.restoreChallenge.path, async (c) => {
  await restoreChallenge(c.var.db, c.req.param('id'), await actorOf(c))
  return c.body(null, 204)
})

challengeAdminRoutes.post(api.advanceState.path, validateBody(api.advanceState), async (c) => {
  const state = await advanceState(c.var.db, { id: c.req.param('id'), ...c.req.valid('json'), ...(await actorOf(c)) })
  return c.json({ state })
})

challengeAdminRoutes.post(api.setFinalists.path, validateBody(api.setFinalists), async (c) => {
  await setFinalists(c.var.db, { id: c.req.param('id'), ...c.req.valid('json'), ...(await actorOf(c)) })
  return c.body(null, 204)
})

challengeAdminRoutes.get(api.flags.path, async (c) =>
  sendPage(c, await listFlaggedBallots(c.var.db, c.req.param('id'), parseListQuery(c))),
)

challengeAdminRoutes.post(api.acceptNewAccounts.path, validateBody(api.acceptNewAccounts), async (c) => {
  const accepted = await acceptNewAccounts(c.var.db, {
    id: c.req.param('id'),
    ...c.req.valid('json'),
    ...(await actorOf(c)),
  })
  return c.json({ kept: accepted })
})

challengeAdminRoutes.post(api.decideFlag.path, validateBody(api.decideFlag), async (c) => {
  const ballot = Number(c.req.param('ballot'))
  if (!Number.isSafeInteger(ballot)) throw new AppError('not_found', 'No such ballot is up for review.')
  await decideFlag(c.var.db, { id: c.req.param('id'), ballot, ...c.req.valid('json'), ...(await actorOf(c)) })
  return c.body(null, 204)
})

challengeAdminRoutes.post(api.seal.path, async (c) =>
  c.json((await finalizeManually(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) })) satisfies TallySeal),
)
