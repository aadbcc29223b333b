import { type Context, Hono } from 'hono'
import { houseOf } from '../auth/enter'
import { restored } from '../content/rows'
import { challengeDeskApi, type DeskChallenge, type FlaggedBallot } from '../contract/challenge-desk'
import type { Seal } from '../contract/challenge-now'
import { submissionsApi, type VerseSubmission } from '../contract/submissions'
import type { AppEnv } from '../http/app-env'
import { asked, leadOn } from '../http/keyset'
import { storedFile } from '../http/stored-file'
import { body } from '../http/validate'
import { Refused } from '../lib/refused'
import { addChallenge, changeChallenge, deskChallenges, removeChallenge } from './desk'
import { nameFinalists } from './finalists'
import { decide, flaggedBallots, keepNewAccounts } from './flags'
import { moveOn, sealByHand } from './move'
import { markVerse, revealed, submissions, verseAudioKey } from './submissions'

export const challengeDeskRoutes = new Hono<AppEnv>()
const api = challengeDeskApi

const by = async (c: Context<AppEnv>) => ({
  actorId: (await c.var.session.administrator()).userId,
  at: c.var.now(),
})

challengeDeskRoutes.get(submissionsApi.submissions.path, async (c) => {
  const wanted = { challenge: c.req.query('challenge') ?? '', shortlisted: c.req.query('shortlisted') === '1' }
  const page = await submissions(c.env.DB, { ...asked(c), ...wanted })
  leadOn(c, page.next)
  return c.json(page.submissions satisfies VerseSubmission[])
})

challengeDeskRoutes.post(submissionsApi.reveal.path, async (c) =>
  c.json((await revealed(c.env.DB, { id: c.req.param('id'), ...(await by(c)) })) satisfies VerseSubmission),
)

challengeDeskRoutes.get(api.verseAudio.path, async (c) =>
  storedFile(c, await verseAudioKey(c.env.DB, c.req.param('id')), { fileName: null }),
)

challengeDeskRoutes.patch(api.markVerse.path, body(api.markVerse), async (c) => {
  await markVerse(c.env.DB, { id: c.req.param('id'), ...c.req.valid('json'), ...(await by(c)) })
  return c.body(null, 204)
})

challengeDeskRoutes.get(api.challenges.path, async (c) =>
  c.json((await deskChallenges(houseOf(c), c.var.now())) satisfies DeskChallenge[]),
)

challengeDeskRoutes.post(api.addChallenge.path, body(api.addChallenge), async (c) =>
  c.json({ id: await addChallenge(c.env.DB, c.req.valid('json'), await by(c)) }, 201),
)

challengeDeskRoutes.patch(api.changeChallenge.path, body(api.changeChallenge), async (c) => {
  await changeChallenge(c.env.DB, c.req.valid('json'), { id: c.req.param('id'), ...(await by(c)) })
  return c.body(null, 204)
})

challengeDeskRoutes.delete(api.removeChallenge.path, async (c) => {
  await removeChallenge(c.env.DB, { id: c.req.param('id'), ...(await by(c)) })
  return c.body(null, 204)
})

challengeDeskRoutes.post(api.restoreChallenge.path, async (c) => {
  await restored(c.env.DB, 'challenge', c.req.param('id'), await by(c))
  return c.body(null, 204)
})

challengeDeskRoutes.post(api.moveOn.path, body(api.moveOn), async (c) => {
  const state = await moveOn(c.env.DB, { id: c.req.param('id'), ...c.req.valid('json'), ...(await by(c)) })
  return c.json({ state })
})

challengeDeskRoutes.post(api.nameFinalists.path, body(api.nameFinalists), async (c) => {
  await nameFinalists(c.env.DB, { id: c.req.param('id'), ...c.req.valid('json'), ...(await by(c)) })
  return c.body(null, 204)
})

challengeDeskRoutes.get(api.flags.path, async (c) => {
  const { ballots, next } = await flaggedBallots(c.env.DB, { id: c.req.param('id'), cursor: asked(c).cursor })
  leadOn(c, next)
  return c.json(ballots satisfies FlaggedBallot[])
})

challengeDeskRoutes.post(api.keepNewAccounts.path, body(api.keepNewAccounts), async (c) => {
  const kept = await keepNewAccounts(c.env.DB, { id: c.req.param('id'), ...c.req.valid('json'), ...(await by(c)) })
  return c.json({ kept })
})

challengeDeskRoutes.post(api.decide.path, body(api.decide), async (c) => {
  const ballot = Number(c.req.param('ballot'))
  if (!Number.isSafeInteger(ballot)) throw new Refused('not_found', 'No such ballot is up for review.')
  await decide(c.env.DB, { id: c.req.param('id'), ballot, ...c.req.valid('json'), ...(await by(c)) })
  return c.body(null, 204)
})

challengeDeskRoutes.post(api.seal.path, async (c) =>
  c.json((await sealByHand(c.env.DB, { id: c.req.param('id'), ...(await by(c)) })) satisfies Seal),
)
