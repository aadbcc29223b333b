import * as z from 'zod/mini'
import { del, get, patch, post, upload } from './endpoint'
import { href, line, optionalLine, prose, timestamp } from './fields'
import { PointsAward } from './points'
import { IMAGE_UPLOAD, UploadedImage } from './uploads'

/** UTF-16 units. */
export const POST_LIMITS = { text: 1000, alt: 300, reason: 300, title: 120, exclusive: 10_000 } as const

const PostPicture = z.object({ url: href, alt: z.string(), width: z.int(), height: z.int() })
export type PostImage = z.infer<typeof PostPicture>

/** What the page behind a post's first link says of itself: text, of somebody unknown. `url` is https. */
const LinkPreview = z.object({ url: href, title: z.string(), description: z.string(), site: z.string() })
export type LinkPreview = z.infer<typeof LinkPreview>

export const Post = z.object({
  id: z.string(),
  author: z.string(),
  text: z.string(),
  picture: z.nullable(PostPicture),
  /** Null without a link, until its page was read, and where that says nothing. */
  preview: z.nullable(LinkPreview),
  createdAt: timestamp,
  likes: z.int(),
  /** By the caller. */
  liked: z.boolean(),
  /** The caller wrote it. */
  mine: z.boolean(),
})
export type Post = z.infer<typeof Post>

/** A post of the artist's people for a tier and those above it; who may not read it is sent no word of it. */
export const ExclusivePost = z.object({
  id: z.string(),
  title: z.string(),
  tier: z.enum(['silver', 'gold']),
  createdAt: timestamp,
  /** Null where it is locked. */
  text: z.nullable(z.string()),
})
export type ExclusivePost = z.infer<typeof ExclusivePost>

/** A post of the caller's that the moderators hid: its words, for nobody else, and why. */
export const HiddenPost = z.object({
  id: z.string(),
  text: z.string(),
  reason: z.string(),
  createdAt: timestamp,
  hiddenAt: timestamp,
})
export type HiddenPost = z.infer<typeof HiddenPost>

/** A post for a tier as the desk sees it. */
export const AdminExclusivePost = z.object({ ...ExclusivePost.shape, text: z.string() })
export type AdminExclusivePost = z.infer<typeof AdminExclusivePost>

/** What the desk writes for a tier. A change carries the whole of it. */
export const TierPostDraft = z.strictObject({
  title: line(POST_LIMITS.title, 'The title'),
  text: prose(POST_LIMITS.exclusive, 'The post').check(z.minLength(1, 'Please write something first.')),
  tier: z.enum(['silver', 'gold']),
})
export type TierPostDraft = z.infer<typeof TierPostDraft>

/** A post as the moderators see it. */
export const ModerationQueuePost = z.object({
  id: z.string(),
  author: z.string(),
  authorId: z.int(),
  isBanned: z.boolean(),
  text: z.string(),
  picture: z.nullable(PostPicture),
  preview: z.nullable(LinkPreview),
  createdAt: timestamp,
  likes: z.int(),
  /** Not looked at yet. */
  reports: z.int(),
  /** What the reports say, the latest first; empty ones are left out. */
  reasons: z.array(z.string()),
})
export type ModerationQueuePost = z.infer<typeof ModerationQueuePost>

const postText = prose(POST_LIMITS.text, 'A post').check(z.minLength(1, 'Please write something first.'))
const picture = z.strictObject({
  /** Of a picture that its author has sent before. */
  id: line(40, 'The picture'),
  alt: line(POST_LIMITS.alt, 'What the picture shows'),
})
const PostLikeResult = z.object({ likes: z.int(), liked: z.boolean() })
const reason = line(POST_LIMITS.reason, 'The reason')
const signInMessage = 'Please sign up or login to join in'
const supporter = { role: 'supporter', signInMessage, checksSessionInQuery: true } as const

export const communityApi = {
  /** Newest first, 20 a page; the next page stands in `Link`. */
  posts: get('/api/community/posts', z.array(Post)),
  /** 400 for a picture that is not there or another's; 409 `conflict` for the same words twice on a day; 429 after ten. */
  createPost: post(
    '/api/community/posts',
    z.strictObject({ text: postText, picture: z.optional(picture) }),
    z.object({ id: z.string(), ...PointsAward.shape }),
    supporter,
  ),
  /**
   * A picture for a post, in one file: what the moderators see is what everybody is sent (docs/decisions/0022). One that
   * no post names is not kept. 400 above FAN_PICTURE_PIXELS to a side; 429 after 20 in a day.
   */
  picture: upload('/api/community/pictures', UploadedImage, { accepts: IMAGE_UPLOAD }),
  /** One's own; its points go back. Of one that was hidden its words go, and `hidden` tells of it no more. */
  remove: del('/api/community/posts/:id', null, null, supporter),
  like: post('/api/community/posts/:id/like', null, PostLikeResult, supporter),
  unlike: del('/api/community/posts/:id/like', null, PostLikeResult, supporter),
  /** Once a person and post; saying it again changes nothing. 202. */
  report: post(
    '/api/community/posts/:id/report',
    z.strictObject({ reason: z.optional(optionalLine(POST_LIMITS.reason, 'The reason')) }),
    null,
    supporter,
  ),
  /** What the moderators hid of the caller's, the latest first, until its author lets go of it. 20 at the most. */
  hidden: get('/api/community/hidden', z.array(HiddenPost), { role: 'supporter', signInMessage }),
  exclusive: get('/api/community/exclusive', z.array(ExclusivePost)),
  /** Reported ones first, by how many; then the newest. 50 a page; the next page stands in `Link`. */
  moderatedPosts: get('/api/admin/community/posts', z.array(ModerationQueuePost), { role: 'administrator' }),
  /** Looked at and fine: the `reports` that were seen are done with; 409 `conflict` where there are others by now. */
  dismissReports: post(
    '/api/admin/community/posts/:id/keep',
    z.strictObject({ reports: z.int().check(z.gte(0)) }),
    null,
    {
      role: 'administrator',
    },
  ),
  /** Takes a supporter's post away for good, and its points back; the author reads why. */
  hide: post('/api/admin/community/posts/:id/hide', z.strictObject({ reason }), null, { role: 'administrator' }),
  /** What stands for the tiers, newest first. 50 at the most. */
  exclusivePosts: get('/api/admin/posts', z.array(AdminExclusivePost), { role: 'administrator' }),
  /** Away at once for every tier, and `restore` puts it back as it was. Nobody's points move. */
  takeDown: del('/api/admin/posts/:id', null, null, { role: 'administrator' }),
  restore: post('/api/admin/posts/:id/restore', null, null, { role: 'administrator' }),
  /** What was taken down, the latest first. 50 at the most. */
  takenDown: get('/api/admin/taken-down-posts', z.array(AdminExclusivePost), { role: 'administrator' }),
  publish: post('/api/admin/posts', TierPostDraft, z.object({ id: z.string() }), { role: 'administrator' }),
  /** Of one that stands: where and since when stays as it is. */
  updateExclusivePost: patch('/api/admin/posts/:id', TierPostDraft, null, { role: 'administrator' }),
}

// Ends before what closes a sentence or a bracket around it.
const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/g

export type Link = { url: URL /** Where its words stand in the text, in UTF-16 units. */; from: number; to: number }

/** The web addresses in a text, http and https alone; one that hides where it leads behind a name is none. */
export function findLinks(text: string): Link[] {
  return [...text.matchAll(LINK)].flatMap(({ 0: address, index }) => {
    const url = URL.canParse(address) ? new URL(address) : null
    const isOpen = url && url.username === '' && url.password === ''
    return isOpen ? [{ url, from: index, to: index + address.length }] : []
  })
}
