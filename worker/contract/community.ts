import * as z from 'zod/mini'
import { POST_LIMITS } from './draft-rules'
import { ExclusivePostDraft } from './drafts'
import { confirmed, del, editors, get, listQuery, patch, post, upload, user, visitor } from './endpoint'
import { CreatedId, href, line, optionalLine, prose, timestamp } from './fields'
import { PointsAward } from './points'
import { IMAGE_UPLOAD, MAX_POST_IMAGE_SIDE_PX, UploadedImage } from './uploads'

const PostImage = z.object({ url: href, alt: z.string(), width: z.int(), height: z.int() })
export type PostImage = z.infer<typeof PostImage>

/** Metadata of the first linked page, as untrusted plain text. `url` is https. */
const LinkPreview = z.object({ url: href, title: z.string(), description: z.string(), site: z.string() })
export type LinkPreview = z.infer<typeof LinkPreview>

export const Post = z.object({
  id: z.string(),
  author: z.string(),
  text: z.string(),
  picture: z.nullable(PostImage),
  /** Null without a link, before it is fetched, and for a page without metadata. */
  preview: z.nullable(LinkPreview),
  createdAt: timestamp,
  likes: z.int(),
  liked: z.boolean(),
  mine: z.boolean(),
})
export type Post = z.infer<typeof Post>

/** A post for a tier and those above it. */
export const ExclusivePost = z.object({
  id: z.string(),
  title: z.string(),
  tier: z.enum(['silver', 'gold']),
  createdAt: timestamp,
  /** Null if the caller's tier is too low. */
  text: z.nullable(z.string()),
})
export type ExclusivePost = z.infer<typeof ExclusivePost>

/** The caller's own post that an administrator hid. */
export const HiddenPost = z.object({
  id: z.string(),
  text: z.string(),
  reason: z.string(),
  createdAt: timestamp,
  hiddenAt: timestamp,
})
export type HiddenPost = z.infer<typeof HiddenPost>

export const AdminExclusivePost = z.object({
  ...ExclusivePost.shape,
  text: z.string(),
  /** Null while it is published. */
  removedAt: z.nullable(timestamp),
  version: z.int(),
})
export type AdminExclusivePost = z.infer<typeof AdminExclusivePost>

export const ModeratedPost = z.object({
  id: z.string(),
  author: z.string(),
  authorId: z.int(),
  isBanned: z.boolean(),
  text: z.string(),
  picture: z.nullable(PostImage),
  preview: z.nullable(LinkPreview),
  createdAt: timestamp,
  likes: z.int(),
  /** Not yet reviewed. */
  reports: z.int(),
  /** Latest first, without empty ones. */
  reasons: z.array(z.string()),
})
export type ModeratedPost = z.infer<typeof ModeratedPost>

const postText = prose(POST_LIMITS.text, 'A post').check(z.minLength(1, 'Please write something first.'))
const picture = z.strictObject({
  /** Id of an image the author uploaded before. */
  id: line(40, 'The picture'),
  alt: line(POST_LIMITS.alt, 'The picture description'),
})
const PostLikeResult = z.object({ likes: z.int(), liked: z.boolean() })
const reason = line(POST_LIMITS.reason, 'The reason')
const signInMessage = 'Please sign up or login to join in'
const supporter = { ...user, signInMessage, checksSessionInSql: true } as const

export const communityApi = {
  posts: get('/api/community/posts', z.array(Post), {
    ...visitor,
    description: 'Newest first, 20 per page; next page in `Link`.',
    query: ['cursor'],
  }),
  createPost: post(
    '/api/community/posts',
    z.strictObject({ text: postText, picture: z.optional(picture) }),
    z.object({ id: z.string(), ...PointsAward.shape }),
    {
      ...confirmed,
      signInMessage,
      description:
        "400 for an unknown image or another user's; 409 `conflict` for the same text twice a day; 429 after ten posts a day.",
      status: 201,
    },
  ),
  image: upload('/api/community/pictures', UploadedImage, {
    ...confirmed,
    accepts: IMAGE_UPLOAD,
    description: `An image for a post; deleted if no post names it. 400 above ${MAX_POST_IMAGE_SIDE_PX} pixels a side; 429 after 20 a day.`,
    status: 201,
  }),
  remove: del('/api/community/posts/:id', null, null, {
    ...supporter,
    description:
      "The caller's own post; reverses its points. Erases the text of a hidden one and removes it from `hidden`.",
  }),
  like: post('/api/community/posts/:id/like', null, PostLikeResult, supporter),
  unlike: del('/api/community/posts/:id/like', null, PostLikeResult, supporter),
  report: post(
    '/api/community/posts/:id/report',
    z.strictObject({ reason: z.optional(optionalLine(POST_LIMITS.reason, 'The reason')) }),
    null,
    { ...supporter, description: 'Once per user and post; idempotent. 202.', status: 202 },
  ),
  hidden: get('/api/community/hidden', z.array(HiddenPost), {
    ...user,
    signInMessage,
    description: "The caller's hidden posts, latest first, at most 20.",
  }),
  exclusive: get('/api/community/exclusive', z.array(ExclusivePost), visitor),
  moderatedPosts: get('/api/admin/community/posts', z.array(ModeratedPost), {
    ...editors,
    description:
      'Newest first, 50 per page; `?q=` searches texts and authors. `?tab=reported`: most reported first. Filters `author` (active, banned), `created`; sorts `created`, `reports` (of reported ones), `likes`.',
    query: listQuery('tab', 'author', 'created'),
  }),
  dismissReports: post(
    '/api/admin/community/posts/:id/keep',
    z.strictObject({ reports: z.int().check(z.gte(0)) }),
    null,
    {
      ...editors,
      description: 'Dismisses the `reports` that the administrator saw; 409 `conflict` if there are new ones.',
    },
  ),
  hide: post('/api/admin/community/posts/:id/hide', z.strictObject({ reason }), null, {
    ...editors,
    description: "Hides a supporter's post permanently and reverses its points; the author sees the reason.",
  }),
  exclusivePosts: get('/api/admin/posts', z.array(AdminExclusivePost), {
    ...editors,
    description:
      'Newest first, 50 per page, unpublished ones included; `?q=` searches titles and texts. Filters `state` (published, unpublished), `tier`, `created`; sorts `created`, `title`.',
    query: listQuery('id', 'state', 'tier', 'created'),
  }),
  unpublish: del('/api/admin/posts/:id', null, null, {
    ...editors,
    description: 'Soft delete; `/api/admin/posts/:id/restore` undoes it. Points do not change.',
  }),
  republish: post('/api/admin/posts/:id/restore', null, null, editors),
  publish: post('/api/admin/posts', ExclusivePostDraft, CreatedId, { ...editors, status: 201 }),
  updateExclusivePost: patch('/api/admin/posts/:id', ExclusivePostDraft, null, editors),
}
