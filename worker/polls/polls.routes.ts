import { type Context, Hono } from 'hono'
import { cachedForVisitors, cachedJson } from '../cache/public-reads'
import { adminPollsApi } from '../contract/admin-content'
import type { PointsAward } from '../contract/points'
import { type PollView, pollsApi } from '../contract/polls'
import type { AppEnv } from '../http/app-env'
import { requireSameOrigin } from '../http/origin'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { addOfficialPoll, closePoll, hidePoll, showPoll, updateOfficialPoll } from './admin-polls'
import { requireWatchPermission } from './live'
import { activePolls, closedPolls, createPoll } from './polls'
import { castVote, retryVote, voteAward } from './vote'
import { batcherFor } from './vote-queue'

export const pollsRoutes = new Hono<AppEnv>()

pollsRoutes.get(
  pollsApi.active.path,
  cachedForVisitors(async ({ db, at }) =>
    cachedJson((await activePolls(db, { session: null, at })) satisfies PollView[]),
  ),
  async (c) => {
    const polls = await activePolls(c.var.db, { session: await c.var.session.optionalPayload(), at: c.var.now() })
    return c.json(polls satisfies PollView[])
  },
)

pollsRoutes.post(pollsApi.vote.path, rateLimit('LIMIT_WRITES', 'person'), validateBody(pollsApi.vote), async (c) => {
  const { optionId } = c.req.valid('json')
  const pollId = c.req.param('pollId')
  const { userId, epoch, sid } = await c.var.session.requirePayload()
  const vote = { session: { userId, epoch, sid }, pollId, optionId, at: c.var.now() }
  const submission = c.var.voteQueue.submit(vote, {
    castDirectly: async () => ({ result: await castVote(c.env.DB, vote), bookmark: null }),
    retry: async () => ({ result: await retryVote(c.env.DB, vote), bookmark: null }),
    submitBatch: (votes) => batcherFor(c.env.RUSH, vote).submit(votes),
  })
  // Others' votes may go with this one: it is seen through when its sender hangs up.
  c.executionCtx.waitUntil(submission.catch(() => undefined))
  const { result, bookmark } = await submission
  if (bookmark) c.set('writeBookmark', bookmark)
  const award = voteAward(result, vote)
  notifyWatchers(c, pollId)
  return c.json(award satisfies PointsAward)
})

pollsRoutes.get(
  pollsApi.closed.path,
  cachedForVisitors(async ({ db, at }) =>
    cachedJson((await closedPolls(db, { session: null, at })) satisfies PollView[], { counts: true }),
  ),
  async (c) => {
    const polls = await closedPolls(c.var.db, { session: await c.var.session.optionalPayload(), at: c.var.now() })
    return c.json(polls satisfies PollView[])
  },
)

pollsRoutes.post(
  pollsApi.create.path,
  rateLimit('LIMIT_WRITES', 'person'),
  validateBody(pollsApi.create),
  async (c) => {
    const draft = c.req.valid('json')
    return c.json(
      await createPoll(c.var.db, { session: await c.var.session.requirePayload(), draft, at: c.var.now() }),
      201,
    )
  },
)

pollsRoutes.post(pollsApi.close.path, async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  await closePoll(c.var.db, { pollId: c.req.param('id'), actorId: userId, at: c.var.now() })
  notifyWatchers(c, c.req.param('id'))
  return c.body(null, 204)
})

pollsRoutes.post(pollsApi.hide.path, async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  await hidePoll(c.var.db, { pollId: c.req.param('id'), actorId: userId, at: c.var.now() })
  notifyWatchers(c, c.req.param('id'))
  return c.body(null, 204)
})

pollsRoutes.post(pollsApi.show.path, async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  await showPoll(c.var.db, { pollId: c.req.param('id'), actorId: userId, at: c.var.now() })
  return c.body(null, 204)
})

pollsRoutes.post(adminPollsApi.add.path, validateBody(adminPollsApi.add), async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  const id = await addOfficialPoll(c.env.DB, c.req.valid('json'), { actorId: userId, at: c.var.now() })
  return c.json({ id }, 201)
})

pollsRoutes.patch(adminPollsApi.update.path, validateBody(adminPollsApi.update), async (c) => {
  const { userId } = await c.var.session.requireAdmin()
  const act = { pollId: c.req.param('id'), actorId: userId, at: c.var.now() }
  await updateOfficialPoll(c.env.DB, c.req.valid('json'), act)
  notifyWatchers(c, act.pollId)
  return c.body(null, 204)
})

export const liveRoutes = new Hono<AppEnv>()

// Any page can open a socket with its visitor's cookies: what guards writes guards this read, too.
liveRoutes.get(pollsApi.live.path, requireSameOrigin, rateLimit('LIMIT_WRITES', 'person'), async (c) => {
  const pollId = c.req.param('pollId')
  const session = await c.var.session.requirePayload()
  await requireWatchPermission(c.var.db, { session, pollId })
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket')
    throw new AppError('bad_input', 'Live results come over a WebSocket.')
  const params = new URLSearchParams({ poll: pollId, viewer: String(session.userId) })
  return c.env.LIVE.getByName(pollId).fetch(new Request(`https://live/?${params}`, c.req.raw))
})

/** Tells who watches a poll that it changed, behind the answer: a vote never waits for it or fails with it. */
export function notifyWatchers(c: Context<AppEnv>, pollId: string): void {
  const notification = c.var.liveNotifier.notify(pollId, () => c.env.LIVE.getByName(pollId).notifyChanged())
  if (!notification) return
  const delivered = notification.catch((error: unknown) => {
    console.error(JSON.stringify({ at: 'live', error: error instanceof Error ? error.name : 'unknown' }))
  })
  c.executionCtx.waitUntil(delivered)
}
