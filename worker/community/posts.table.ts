import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { uploads } from '../uploads/uploads.table'
import { users } from '../users/users.table'

/**
 * What people write. A post that is gone keeps its row: without its words where its author removed it; with them where
 * an administrator hid it, for the author alone, who reads why and may then let go of them. Triggers keep `likes`, take
 * points back, let go of picture and link, and mark the picture's file for removal. A post for a tier has no points, and
 * can be put back.
 */
export const posts = sqliteTable(
  'posts',
  {
    id: text('id').primaryKey(),
    authorId: integer('author_id')
      .notNull()
      .references(() => users.id),
    /** Of a post of the artist's people; empty in the community. */
    title: text('title').notNull().default(''),
    text: text('text').notNull(),
    /** Who may read it: everybody, or a tier and those above it. */
    tier: text('tier', { enum: ['bronze', 'silver', 'gold'] })
      .notNull()
      .default('bronze'),
    likes: integer('likes').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    removedAt: integer('removed_at'),
    /** Why an administrator hid it, for its author to read; null where the author removed it, and for a tier's. */
    removedFor: text('removed_for'),
    /** Up to here an administrator has looked at its reports. */
    reviewedAt: integer('reviewed_at').notNull().default(0),
    /** One picture, of its author's own sending, and what it shows in words. */
    pictureId: text('picture_id').references(() => uploads.id),
    pictureAlt: text('picture_alt').notNull().default(''),
    /** The page behind its first link, as link_previews knows it. */
    linkUrl: text('link_url'),
  },
  (t) => [
    check('posts_likes', sql`${t.likes} >= 0`),
    check('posts_tier', sql`${t.tier} in ('bronze', 'silver', 'gold')`),
    index('posts_newest').on(t.tier, t.createdAt, t.id).where(sql`removed_at is null`),
    index('posts_taken_down').on(t.removedAt, t.id).where(sql`removed_at is not null and tier <> 'bronze'`),
    index('posts_by_author').on(t.authorId, t.createdAt),
    uniqueIndex('posts_by_picture').on(t.pictureId).where(sql`picture_id is not null`),
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

/** One a person and post: a report asks an administrator to look, and hides nothing by itself. */
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
