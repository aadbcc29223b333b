import { Hono } from 'hono'
import { officialPollsApi } from '../contract/official-polls'
import type { Earned } from '../contract/points'
import { type PollView, pollsApi } from '../contract/polls'
import type { AppEnv } from '../http/app-env'
import { keptForVisitors, keptJson } from '../http/public-read'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { tellWatchers } from '../live/live.routes'
import { createPoll } from './create'
import { closePoll, hidePoll, showPoll } from './moderation'
import { addOfficial, changeOfficial } from './official'
import { activePolls, closedPolls } from './polls'
import { rushOf } from './rush'
import { castAgain, castOne, earnedBy } from './vote'

export const pollsRoutes = new Hono<AppEnv>()

pollsRoutes.get(
  pollsApi.active.path,
  keptForVisitors(async ({ db, at }) => keptJson((await activePolls(db, { claim: null, at })) satisfies PollView[])),
  async (c) => {
    const polls = await activePolls(c.var.db, { claim: await c.var.session.reader(), at: c.var.now() })
    return c.json(polls satisfies PollView[])
  },
)

pollsRoutes.post(pollsApi.vote.path, limited('LIMIT_WRITES', 'person'), body(pollsApi.vote), async (c) => {
  const { optionId } = c.req.valid('json')
  const pollId = c.req.param('pollId')
  const { userId, epoch, sid } = await c.var.session.claimed()
  const ballot = { claim: { userId, epoch, sid }, pollId, optionId, at: c.var.now() }
  const casting = c.var.rush.cast(ballot, {
    alone: async () => ({ came: await castOne(c.env.DB, ballot), bookmark: null }),
    again: async () => ({ came: await castAgain(c.env.DB, ballot), bookmark: null }),
    together: (ballots) => rushOf(c.env.RUSH, ballot).cast(ballots),
  })
  // Others' votes may go with this one: it is seen through when its sender hangs up.
  c.executionCtx.waitUntil(casting.catch(() => undefined))
  const { came, bookmark } = await casting
  if (bookmark) c.set('leftBookmark', bookmark)
  const earned = earnedBy(came, ballot)
  tellWatchers(c, pollId)
  return c.json(earned satisfies Earned)
})

pollsRoutes.get(
  pollsApi.closed.path,
  keptForVisitors(async ({ db, at }) =>
    keptJson((await closedPolls(db, { claim: null, at })) satisfies PollView[], { counts: true }),
  ),
  async (c) => {
    const polls = await closedPolls(c.var.db, { claim: await c.var.session.reader(), at: c.var.now() })
    return c.json(polls satisfies PollView[])
  },
)

pollsRoutes.post(pollsApi.create.path, limited('LIMIT_WRITES', 'person'), body(pollsApi.create), async (c) => {
  const draft = c.req.valid('json')
  return c.json(await createPoll(c.var.db, { claim: await c.var.session.claimed(), draft, at: c.var.now() }), 201)
})

pollsRoutes.post(pollsApi.close.path, async (c) => {
  const { userId } = await c.var.session.administrator()
  await closePoll(c.var.db, { pollId: c.req.param('id'), actorId: userId, at: c.var.now() })
  tellWatchers(c, c.req.param('id'))
  return c.body(null, 204)
})

pollsRoutes.post(pollsApi.hide.path, async (c) => {
  const { userId } = await c.var.session.administrator()
  await hidePoll(c.var.db, { pollId: c.req.param('id'), actorId: userId, at: c.var.now() })
  tellWatchers(c, c.req.param('id'))
  return c.body(null, 204)
})

pollsRoutes.post(pollsApi.show.path, async (c) => {
  const { userId } = await c.var.session.administrator()
  await showPoll(c.var.db, { pollId: c.req.param('id'), actorId: userId, at: c.var.now() })
  return c.body(null, 204)
})

pollsRoutes.post(officialPollsApi.add.path, body(officialPollsApi.add), async (c) => {
  const { userId } = await c.var.session.administrator()
  const id = await addOfficial(c.env.DB, c.req.valid('json'), { actorId: userId, at: c.var.now() })
  return c.json({ id }, 201)
})

pollsRoutes.patch(officialPollsApi.change.path, body(officialPollsApi.change), async (c) => {
  const { userId } = await c.var.session.administrator()
  const act = { pollId: c.req.param('id'), actorId: userId, at: c.var.now() }
  await changeOfficial(c.env.DB, c.req.valid('json'), act)
  tellWatchers(c, act.pollId)
  return c.body(null, 204)
})
