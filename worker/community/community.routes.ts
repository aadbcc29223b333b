import { type Context, Hono } from 'hono'
import {
  communityApi,
  type DeskExclusivePost,
  type ExclusivePost,
  type HiddenPost,
  type Post,
  type WatchedPost,
} from '../contract/community'
import { FAN_PICTURE_PIXELS } from '../contract/uploads'
import type { AppEnv } from '../http/app-env'
import { bareType, fileBytes } from '../http/body'
import { leadOn } from '../http/keyset'
import { limited } from '../http/rate-limit'
import { revalidatedForVisitors } from '../http/unchanged'
import { body } from '../http/validate'
import { limits } from '../limits'
import { receivePicture } from '../uploads/receive'
import { sweepDropped } from '../uploads/sweep'
import { changePost, exclusivePosts, publish, publishedPosts, putBack, takeDown, takenDownPosts } from './exclusive'
import { hidePost, keepPost, watchedPosts } from './moderation'
import { feed, hiddenPosts } from './posts'
import { likePost, reportPost, unlikePost } from './reactions'
import { removePost, writePost } from './write'

export const communityRoutes = new Hono<AppEnv>()
const careful = limited('LIMIT_WRITES', 'person')

communityRoutes.get(communityApi.posts.path, revalidatedForVisitors, async (c) => {
  const asked = { claim: await c.var.session.reader(), cursor: c.req.query('cursor') ?? null }
  const { posts, next } = await feed(c.var.db, asked)
  if (next !== null) c.header('link', `<${communityApi.posts.path}?cursor=${next}>; rel="next"`)
  return c.json(posts satisfies Post[])
})

communityRoutes.post(communityApi.write.path, careful, body(communityApi.write), async (c) => {
  const { text, picture = null } = c.req.valid('json')
  const claim = await c.var.session.claimed()
  const { earned, link } = await writePost(c.var.db, { claim, text, picture, at: c.var.now() })
  // A message that is lost is told again by the tick.
  if (link) c.executionCtx.waitUntil(c.env.PREVIEWS.send({ kind: 'preview', url: link }).catch(() => undefined))
  return c.json(earned, 201)
})

communityRoutes.post(communityApi.picture.path, careful, async (c) => {
  const sender = {
    db: c.env.DB,
    files: c.env.FILES,
    ownerId: (await c.var.session.supporter()).userId,
    at: c.var.now(),
    perDay: limits.picturesPerDay,
    mostPixels: FAN_PICTURE_PIXELS,
    saidType: bareType(c),
    bytes: fileBytes(c, communityApi.picture),
  }
  return c.json(await receivePicture(sender), 201)
})

/** The file of a picture that was let go of, behind the answer; where that fails, the tick finds it. */
const clearAway = (c: Context<AppEnv>) =>
  c.executionCtx.waitUntil(
    sweepDropped({ db: c.env.DB, files: c.env.FILES }).then(
      () => undefined,
      () => undefined,
    ),
  )

communityRoutes.delete(communityApi.remove.path, careful, async (c) => {
  await removePost(c.var.db, { claim: await c.var.session.claimed(), id: c.req.param('id'), at: c.var.now() })
  clearAway(c)
  return c.body(null, 204)
})

communityRoutes.post(communityApi.like.path, careful, async (c) => {
  const act = { claim: await c.var.session.claimed(), id: c.req.param('id'), at: c.var.now() }
  return c.json(await likePost(c.var.db, act))
})

communityRoutes.delete(communityApi.unlike.path, careful, async (c) => {
  const act = { claim: await c.var.session.claimed(), id: c.req.param('id'), at: c.var.now() }
  return c.json(await unlikePost(c.var.db, act))
})

communityRoutes.post(communityApi.report.path, careful, body(communityApi.report), async (c) => {
  const { reason = '' } = c.req.valid('json')
  const act = { claim: await c.var.session.claimed(), id: c.req.param('id'), reason, at: c.var.now() }
  await reportPost(c.var.db, act)
  return c.body(null, 202)
})

communityRoutes.get(communityApi.exclusive.path, revalidatedForVisitors, async (c) =>
  c.json((await exclusivePosts(c.var.db, await c.var.session.reader())) satisfies ExclusivePost[]),
)

communityRoutes.get(communityApi.hidden.path, async (c) => {
  const { userId } = await c.var.session.supporter()
  return c.json((await hiddenPosts(c.var.db, userId)) satisfies HiddenPost[])
})

communityRoutes.get(communityApi.watched.path, async (c) => {
  const { posts, next } = await watchedPosts(c.var.db, c.req.query('cursor') ?? null)
  leadOn(c, next)
  return c.json(posts satisfies WatchedPost[])
})

communityRoutes.post(communityApi.keep.path, body(communityApi.keep), async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  await keepPost(c.var.db, { id: c.req.param('id'), actorId, at: c.var.now(), ...c.req.valid('json') })
  return c.body(null, 204)
})

communityRoutes.post(communityApi.hide.path, body(communityApi.hide), async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  await hidePost(c.var.db, { id: c.req.param('id'), actorId, at: c.var.now(), ...c.req.valid('json') })
  clearAway(c)
  return c.body(null, 204)
})

communityRoutes.post(communityApi.publish.path, body(communityApi.publish), async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  return c.json(await publish(c.var.db, { actorId, at: c.var.now(), ...c.req.valid('json') }), 201)
})

communityRoutes.get(communityApi.published.path, async (c) =>
  c.json((await publishedPosts(c.var.db)) satisfies DeskExclusivePost[]),
)

communityRoutes.get(communityApi.takenDown.path, async (c) =>
  c.json((await takenDownPosts(c.var.db)) satisfies DeskExclusivePost[]),
)

communityRoutes.patch(communityApi.change.path, body(communityApi.change), async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  await changePost(c.var.db, { id: c.req.param('id'), actorId, at: c.var.now(), ...c.req.valid('json') })
  return c.body(null, 204)
})

communityRoutes.delete(communityApi.takeDown.path, async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  await takeDown(c.var.db, { id: c.req.param('id'), actorId, at: c.var.now() })
  return c.body(null, 204)
})

communityRoutes.post(communityApi.restore.path, async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  await putBack(c.var.db, { id: c.req.param('id'), actorId, at: c.var.now() })
  return c.body(null, 204)
})
