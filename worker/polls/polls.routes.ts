import { type Context, Hono } from 'hono'
import { cachedForVisitors, cachedJson } from '../cache/public-reads'
import { adminPollsApi } from '../contract/admin-polls'
import { type PollView, pollsApi, type VoteAward } from '../contract/polls'
import type { AppEnv } from '../http/app-env'
import { actorOf } from '../http/deps'
import { requireSameOrigin } from '../http/origin'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { logError } from '../lib/log'
import { addOfficialPoll, closePoll, hidePoll, showPoll, updateOfficialPoll } from './admin-polls'
import { type LiveNotifier, requireWatchPermission } from './live'
import { createPoll, listActivePolls, listClosedPolls } from './polls'
import { sessionMailboxHash, voteAward } from './vote'
import type { VoteQueue } from './vote-batcher'

declare module 'hono' {
  interface ContextVariableMap {
    voteQueue: VoteQueue
    liveNotifier: LiveNotifier
  }
}

export const pollsRoutes = new Hono<AppEnv>()

for (const { path, listPolls, hasCounters } of [
  { path: pollsApi.active.path, listPolls: listActivePolls, hasCounters: false },
  { path: pollsApi.closed.path, listPolls: listClosedPolls, hasCounters: true },
])
  pollsRoutes.get(
    path,
    cachedForVisitors(async ({ db, at }) =>
      cachedJson((await listPolls(db, { session: null, at })) satisfies PollView[], { hasCounters }),
    ),
    async (c) => {
      const polls = await listPolls(c.var.db, { session: await c.var.session.payloadIfAvailable(), at: c.var.now() })
      return c.json(polls satisfies PollView[])
    },
  )

pollsRoutes.post(pollsApi.vote.path, rateLimit('LIMIT_WRITES', 'user'), validateBody(pollsApi.vote), async (c) => {
  // Each access to `c.var` copies all variables, so this hot path reads it once.
  const { db, config, now, voteQueue, session: requestSession } = c.var
  const { optionId } = c.req.valid('json')
  const pollId = c.req.param('pollId')
  const session = await requestSession.requirePayload()
  const { userId, epoch, sid } = session
  const mailboxHash = await sessionMailboxHash({ db, secret: config.signingSecret }, session, pollId)
  const vote = { session: { userId, epoch, sid }, pollId, optionId, mailboxHash, at: now() }
  const submission = voteQueue.submit(c.env, vote)
  // Votes of others may be in the same batch: finish it even if this client disconnects.
  c.executionCtx.waitUntil(submission.catch(() => undefined))
  const { result, bookmark } = await submission
  if (bookmark) c.set('writeBookmark', bookmark)
  const award = voteAward(result, vote)
  notifyWatchers(c, pollId)
  return c.json(award satisfies VoteAward)
})

// Pages of other origins can open a socket with the user's cookies, so this read needs the Origin check of writes.
pollsRoutes.get(pollsApi.live.path, requireSameOrigin, rateLimit('LIMIT_WRITES', 'user'), async (c) => {
  const pollId = c.req.param('pollId')
  const session = await c.var.session.requirePayload()
  await requireWatchPermission(c.var.db, { session, pollId })
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket')
    throw new AppError('bad_input', 'Live results come over a WebSocket.')
  const { userId, epoch, sid } = session
  const params = new URLSearchParams({ poll: pollId, userId: String(userId), epoch: String(epoch), sid })
  return c.env.LIVE.getByName(pollId).fetch(new Request(`https://live/?${params}`, c.req.raw))
})

pollsRoutes.post(pollsApi.create.path, rateLimit('LIMIT_WRITES', 'user'), validateBody(pollsApi.create), async (c) => {
  const draft = c.req.valid('json')
  const session = await c.var.session.requirePayload()
  return c.json(await createPoll(c.var.db, { session, draft, at: c.var.now() }), 201)
})

for (const { path, moderate, mayHaveWatchers } of [
  { path: pollsApi.close.path, moderate: closePoll, mayHaveWatchers: true },
  { path: pollsApi.hide.path, moderate: hidePoll, mayHaveWatchers: true },
  { path: pollsApi.show.path, moderate: showPoll, mayHaveWatchers: false },
])
  pollsRoutes.post(path, async (c) => {
    const actor = await actorOf(c)
    await moderate(c.var.db, { ...actor, pollId: c.req.param('id') })
    if (mayHaveWatchers) notifyWatchers(c, c.req.param('id'))
    return c.body(null, 204)
  })

pollsRoutes.post(adminPollsApi.add.path, validateBody(adminPollsApi.add), async (c) =>
  c.json({ id: await addOfficialPoll(c.var.db, c.req.valid('json'), await actorOf(c)) }, 201),
)

pollsRoutes.patch(adminPollsApi.update.path, validateBody(adminPollsApi.update), async (c) => {
  const pollId = c.req.param('id')
  await updateOfficialPoll(c.var.db, c.req.valid('json'), { ...(await actorOf(c)), pollId })
  notifyWatchers(c, pollId)
  return c.body(null, 204)
})

/** Notifies the watchers of a poll after the response. Failures are only logged. */
export function notifyWatchers(c: Context<AppEnv>, pollId: string): void {
  const notification = c.get('liveNotifier').notify(pollId, () => c.env.LIVE.getByName(pollId).notifyChanged())
  if (notification) c.executionCtx.waitUntil(notification.catch((error: unknown) => logError('live', error)))
}
