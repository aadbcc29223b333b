import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Link previews of posts, fetched by the worker. A trigger deletes one with the last post that uses it. */
export const linkPreviews = sqliteTable(
  'link_previews',
  {
    url: text('url').primaryKey(),
    /** Empty before the first successful fetch, and if the page has no title: then there is no preview. */
    title: text('title').notNull().default(''),
    description: text('description').notNull().default(''),
    siteName: text('site_name').notNull().default(''),
    requestedAt: integer('asked_at').notNull(),
    attempts: integer('tries').notNull().default(0),
    /** When it was fetched, or when the last attempt failed; null before. */
    fetchedAt: integer('fetched_at'),
  },
  (t) => [index('link_previews_due').on(t.requestedAt).where(sql`fetched_at is null`)],
)
