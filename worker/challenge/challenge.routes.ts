import { Hono } from 'hono'
import { type Challenge, challengeApi } from '../contract/challenge'
import { submissionsApi, type VerseSubmission } from '../contract/submissions'
import type { AppEnv } from '../http/app-env'
import { asked, leadOn } from '../http/keyset'
import { keptForAll, keptJson } from '../http/public-read'
import { hallOfFame } from './challenge'
import { revealed, submissions } from './submissions'

export const challengeRoutes = new Hono<AppEnv>()

challengeRoutes.get(
  challengeApi.hallOfFame.path,
  keptForAll(async ({ db, at }) => keptJson((await hallOfFame(db, at)) satisfies Challenge, { counts: true })),
)

challengeRoutes.get(submissionsApi.submissions.path, async (c) => {
  const page = await submissions(c.env.DB, asked(c))
  leadOn(c, page.next)
  return c.json(page.submissions satisfies VerseSubmission[])
})

challengeRoutes.post(submissionsApi.reveal.path, async (c) => {
  const { userId } = await c.var.session.administrator()
  const act = { id: c.req.param('id'), actorId: userId, at: c.var.now() }
  return c.json((await revealed(c.env.DB, act)) satisfies VerseSubmission)
})
