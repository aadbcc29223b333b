import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

export const polls = sqliteTable(
  'polls',
  {
    id: text('id').primaryKey(),
    title: text('title').notNull(),
    description: text('description').notNull().default(''),
    /** The poll accepts votes before this time. */
    endsAt: integer('ends_at').notNull(),
    createdBy: integer('created_by').references(() => users.id),
    createdAt: integer('created_at').notNull(),
    /** Created by an administrator: the poll stays the artist's when the account is erased. */
    official: integer('official', { mode: 'boolean' }).notNull().default(false),
    hiddenAt: integer('hidden_at'),
    /** Set by a trigger (migration 0038) while the supporter who created the poll is banned; hides it. */
    creatorBannedAt: integer('creator_banned_at'),
    /**
     * Progress of a job after the creator's erasure: voters up to this user id no longer have the title in their point
     * history. Null if there is nothing left to clear.
     */
    titleErasedUpTo: integer('title_forgotten_up_to'),
    /** Incremented with every edit. An edit that sends an older version is rejected. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('polls_title', sql`length(${t.title}) between 1 and 140`),
    index('polls_open').on(t.endsAt).where(sql`hidden_at is null`),
    // Sort orders of the admin list, which includes hidden polls.
    index('polls_by_end').on(t.endsAt),
    index('polls_by_title').on(sql`title COLLATE NOCASE`),
    index('polls_by_creator').on(t.createdBy, t.createdAt),
    index('polls_to_forget').on(t.id).where(sql`title_forgotten_up_to is not null`),
  ],
)

export const pollOptions = sqliteTable(
  'poll_options',
  {
    id: text('id').primaryKey(),
    pollId: text('poll_id')
      .notNull()
      .references(() => polls.id),
    title: text('title').notNull(),
    position: integer('position').notNull(),
    /** Number of counted votes; updated by triggers (migration 0038). */
    votes: integer('votes').notNull().default(0),
  },
  (t) => [
    unique('poll_options_order').on(t.pollId, t.position),
    unique('poll_options_of_poll').on(t.pollId, t.id),
    check('poll_options_votes', sql`${t.votes} >= 0`),
    check('poll_options_title', sql`length(${t.title}) between 1 and 80`),
  ],
)

/**
 * One vote per poll and user, for an option of that poll. It is in the option's count while `countedAt` is set and
 * `excludedAt` is not; nothing else of a stored vote can change (triggers, migration 0038).
 */
export const pollVotes = sqliteTable(
  'poll_votes',
  {
    pollId: text('poll_id')
      .notNull()
      .references(() => polls.id),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    optionId: text('option_id').notNull(),
    castAt: integer('cast_at').notNull(),
    /** Null until the voter's email is confirmed, or if another account of the mailbox has the counted vote. */
    countedAt: integer('counted_at'),
    /** Excluded by an administrator, because the account is banned. */
    excludedAt: integer('excluded_at'),
  },
  (t) => [
    primaryKey({ columns: [t.pollId, t.userId] }),
    index('poll_votes_excluded').on(t.userId).where(sql`excluded_at is not null`),
    index('poll_votes_pending').on(t.userId).where(sql`counted_at is null`),
    foreignKey({ columns: [t.pollId, t.optionId], foreignColumns: [pollOptions.pollId, pollOptions.id] }),
  ],
)

/**
 * Mailboxes with a counted vote in a poll, so that several accounts of one mailbox count once. Outlives the account;
 * deleted 30 days after the poll has closed.
 */
export const pollMailboxes = sqliteTable(
  'poll_mailboxes',
  {
    pollId: text('poll_id')
      .notNull()
      .references(() => polls.id),
    /** `pollMailboxHash`: keyed hash of the poll and the mailbox key. */
    hash: text('hash').notNull(),
    /** The account whose vote counts; null after its erasure. */
    userId: integer('user_id').references(() => users.id),
  },
  (t) => [
    primaryKey({ columns: [t.pollId, t.hash] }),
    index('poll_mailboxes_of_user').on(t.userId).where(sql`user_id is not null`),
  ],
)
