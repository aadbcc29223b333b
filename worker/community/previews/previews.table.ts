import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * What the page behind a link says of itself, for the posts that begin with it: fetched once by the worker, never by a
 * reader's browser. Words alone (docs/decisions/0020). A trigger removes it with the last post that names it.
 */
export const linkPreviews = sqliteTable(
  'link_previews',
  {
    url: text('url').primaryKey(),
    /** Empty while there is nothing to show. */
    title: text('title').notNull().default(''),
    description: text('description').notNull().default(''),
    siteName: text('site_name').notNull().default(''),
    askedAt: integer('asked_at').notNull(),
    tries: integer('tries').notNull().default(0),
    /** When it was settled what the page says, which may be nothing; null before. */
    fetchedAt: integer('fetched_at'),
  },
  (t) => [index('link_previews_due').on(t.askedAt).where(sql`fetched_at is null`)],
)
