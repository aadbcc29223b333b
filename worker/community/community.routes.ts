import { type Context, Hono } from 'hono'
import { conditionalGetForVisitors } from '../cache/public-reads'
import { communityApi, type ExclusivePost, type HiddenPost, type Post } from '../contract/community'
import { MAX_POST_IMAGE_SIDE_PX } from '../contract/uploads'
import { readList } from '../db/list'
import type { AppEnv } from '../http/app-env'
import { actorOf } from '../http/deps'
import { parseListQuery, sendPage, setNextLink } from '../http/pagination'
import { rateLimit } from '../http/rate-limit'
import { contentType, readFileBytes } from '../http/request-body'
import { validateBody } from '../http/validate'
import { limits } from '../limits'
import { deleteDroppedUploads } from '../uploads/cleanup'
import { receiveImage } from '../uploads/receive'
import { exclusivePostList, moderatedPostList } from './admin-list'
import {
  listExclusivePosts,
  publishExclusivePost,
  republishExclusivePost,
  unpublishExclusivePost,
  updateExclusivePost,
} from './exclusive-posts'
import { dismissReports, hidePost } from './moderation'
import { likePost, listHiddenPosts, listPosts, reportPost, unlikePost } from './posts'
import { removePost, writePost } from './write-post'

export const communityRoutes = new Hono<AppEnv>()
const writeLimit = rateLimit('LIMIT_WRITES', 'user')

/** A supporter's action on a post. */
const postActionOf = async (c: Context<AppEnv>) => ({
  session: await c.var.session.requirePayload(),
  id: c.req.param('id') ?? '',
  at: c.var.now(),
})

communityRoutes.get(communityApi.posts.path, conditionalGetForVisitors, async (c) => {
  const query = { session: await c.var.session.payloadIfAvailable(), cursor: c.req.query('cursor') ?? null }
  const { posts, next } = await listPosts(c.var.db, query)
  setNextLink(c, next)
  return c.json(posts satisfies Post[])
})

communityRoutes.post(communityApi.createPost.path, writeLimit, validateBody(communityApi.createPost), async (c) => {
  const { text, picture: image = null } = c.req.valid('json')
  const session = await c.var.session.requirePayload()
  const { earned, link } = await writePost(c.var.db, { session, text, image, at: c.var.now() })
  // The five-minute job requeues a lost message.
  if (link) c.executionCtx.waitUntil(c.env.PREVIEWS.send({ kind: 'preview', url: link }).catch(() => undefined))
  return c.json(earned, 201)
})

communityRoutes.post(communityApi.image.path, writeLimit, async (c) => {
  const upload = {
    db: c.var.db,
    files: c.env.FILES,
    ownerId: (await c.var.session.requireSupporter()).userId,
    at: c.var.now(),
    perDay: limits.postImagesPerDay,
    maxSidePx: MAX_POST_IMAGE_SIDE_PX,
    declaredType: contentType(c),
    bytes: readFileBytes(c, communityApi.image),
    color: c.req.query('color'),
    images: c.env.IMAGES,
  }
  return c.json(await receiveImage(upload), 201)
})

/** Deletes the files of dropped uploads after the response; the five-minute job retries. */
const deleteDroppedFiles = (c: Context<AppEnv>) =>
  c.executionCtx.waitUntil(deleteDroppedUploads({ db: c.var.db, files: c.env.FILES }).catch(() => undefined))

communityRoutes.delete(communityApi.remove.path, writeLimit, async (c) => {
  await removePost(c.var.db, await postActionOf(c))
  deleteDroppedFiles(c)
  return c.body(null, 204)
})

communityRoutes.post(communityApi.like.path, writeLimit, async (c) =>
  c.json(await likePost(c.var.db, await postActionOf(c))),
)

communityRoutes.delete(communityApi.unlike.path, writeLimit, async (c) =>
  c.json(await unlikePost(c.var.db, await postActionOf(c))),
)

communityRoutes.post(communityApi.report.path, writeLimit, validateBody(communityApi.report), async (c) => {
  const { reason = '' } = c.req.valid('json')
  await reportPost(c.var.db, { ...(await postActionOf(c)), reason })
  return c.body(null, 202)
})

communityRoutes.get(communityApi.exclusive.path, conditionalGetForVisitors, async (c) =>
  c.json((await listExclusivePosts(c.var.db, await c.var.session.payloadIfAvailable())) satisfies ExclusivePost[]),
)

communityRoutes.get(communityApi.hidden.path, async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  return c.json((await listHiddenPosts(c.var.db, userId)) satisfies HiddenPost[])
})

communityRoutes.get(communityApi.moderatedPosts.path, async (c) =>
  sendPage(c, await readList(c.var.db, moderatedPostList(c.req.query('tab') === 'reported'), parseListQuery(c))),
)

communityRoutes.post(communityApi.dismissReports.path, validateBody(communityApi.dismissReports), async (c) => {
  await dismissReports(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)), ...c.req.valid('json') })
  return c.body(null, 204)
})

communityRoutes.post(communityApi.hide.path, validateBody(communityApi.hide), async (c) => {
  await hidePost(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)), ...c.req.valid('json') })
  deleteDroppedFiles(c)
  return c.body(null, 204)
})

communityRoutes.post(communityApi.publish.path, validateBody(communityApi.publish), async (c) => {
  return c.json(await publishExclusivePost(c.var.db, { ...(await actorOf(c)), ...c.req.valid('json') }), 201)
})

communityRoutes.get(communityApi.exclusivePosts.path, async (c) =>
  sendPage(c, await readList(c.var.db, exclusivePostList, parseListQuery(c))),
)

communityRoutes.patch(
  communityApi.updateExclusivePost.path,
  validateBody(communityApi.updateExclusivePost),
  async (c) => {
    await updateExclusivePost(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)), ...c.req.valid('json') })
    return c.body(null, 204)
  },
)

communityRoutes.delete(communityApi.unpublish.path, async (c) => {
  await unpublishExclusivePost(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) })
  return c.body(null, 204)
})

communityRoutes.post(communityApi.republish.path, async (c) => {
  await republishExclusivePost(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) })
  return c.body(null, 204)
})
