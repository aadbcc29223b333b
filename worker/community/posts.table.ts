import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { TIERS } from '../contract/site'
import { uploads } from '../uploads/uploads.table'
import { users } from '../users/users.table'

/**
 * When the author removes a post its text is deleted; when an administrator hides it the text stays, for the author to
 * read. Triggers maintain `likes`, reverse points, and detach image and link.
 */
export const posts = sqliteTable(
  'posts',
  {
    id: text('id').primaryKey(),
    authorId: integer('author_id')
      .notNull()
      .references(() => users.id),
    /** Of an exclusive post; empty for posts of supporters. */
    title: text('title').notNull().default(''),
    text: text('text').notNull(),
    /** The lowest tier that may read an exclusive post; `bronze` for posts of supporters, which are public. */
    tier: text('tier', { enum: TIERS }).notNull().default('bronze'),
    likes: integer('likes').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    /** When the author removed the post, or an administrator hid or unpublished it. */
    removedAt: integer('removed_at'),
    /** Why an administrator hid the post; null otherwise. */
    removedFor: text('removed_for'),
    /** Reports up to this time have been reviewed. */
    reviewedAt: integer('reviewed_at').notNull().default(0),
    imageId: text('picture_id').references(() => uploads.id),
    imageAlt: text('picture_alt').notNull().default(''),
    /** The first link in the text, a key of link_previews. */
    linkUrl: text('link_url'),
    /** Incremented with every edit of an exclusive post. An edit that sends an older version is rejected. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('posts_likes', sql`${t.likes} >= 0`),
    check('posts_tier', sql`${t.tier} in ('bronze', 'silver', 'gold')`),
    index('posts_newest').on(t.tier, t.createdAt, t.id).where(sql`removed_at is null`),
    index('posts_taken_down').on(t.removedAt, t.id).where(sql`removed_at is not null and tier <> 'bronze'`),
    index('posts_by_author').on(t.authorId, t.createdAt),
    uniqueIndex('posts_by_picture').on(t.imageId).where(sql`picture_id is not null`),
    index('posts_by_link').on(t.linkUrl).where(sql`link_url is not null`),
  ],
)

export const postLikes = sqliteTable(
  'post_likes',
  {
    postId: text('post_id')
      .notNull()
      .references(() => posts.id),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    likedAt: integer('liked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.postId, t.userId] }), index('post_likes_of_user').on(t.userId)],
)

export const postReports = sqliteTable(
  'post_reports',
  {
    postId: text('post_id')
      .notNull()
      .references(() => posts.id),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    reason: text('reason').notNull().default(''),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.postId, t.userId] }),
    index('post_reports_newest').on(t.createdAt),
    index('post_reports_of_user').on(t.userId),
  ],
)
