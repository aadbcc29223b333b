import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'

/** A fan verse challenge. Days are YYYY-MM-DD in the artist's zone (ruling 4). */
export const challenges = sqliteTable(
  'challenges',
  {
    id: text('id').primaryKey(),
    title: text('title').notNull(),
    prize: text('prize').notNull(),
    submissionsFrom: text('submissions_from').notNull(),
    submissionsUntil: text('submissions_until').notNull(),
    finalistsOn: text('finalists_on').notNull(),
    votingFrom: text('voting_from').notNull(),
    votingUntil: text('voting_until').notNull(),
    winnerOn: text('winner_on').notNull(),
    closedOn: text('closed_on').notNull(),
    /** Off the site since then: whoever reads challenges leaves it out. An undo puts it back. */
    removedAt: integer('removed_at'),
  },
  (t) => [index('challenges_by_end').on(t.winnerOn)],
)

export const challengeFinalists = sqliteTable(
  'challenge_finalists',
  {
    id: text('id').primaryKey(),
    challengeId: text('challenge_id')
      .notNull()
      .references(() => challenges.id),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    /** Kept by the ballot's triggers: equals the number of ballots for it. */
    votes: integer('votes').notNull().default(0),
  },
  (t) => [
    unique('challenge_finalists_order').on(t.challengeId, t.position),
    check('challenge_finalists_votes', sql`${t.votes} >= 0`),
  ],
)

export const challengeBallots = sqliteTable(
  'challenge_ballots',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    challengeId: text('challenge_id')
      .notNull()
      .references(() => challenges.id),
    finalistId: text('finalist_id')
      .notNull()
      .references(() => challengeFinalists.id),
    castAt: integer('cast_at').notNull(),
    /** Random per voter and challenge; leads back to nobody. */
    voterPseudonym: text('voter_pseudonym').notNull(),
  },
  (t) => [
    unique('challenge_ballots_once').on(t.challengeId, t.voterPseudonym),
    index('challenge_ballots_tally').on(t.challengeId, t.finalistId),
  ],
)

/** A verse that was sent in. Name, e-mail and phone are the specification's fields: for administrators alone (ruling 8). */
export const verseSubmissions = sqliteTable(
  'verse_submissions',
  {
    id: text('id').primaryKey(),
    challengeId: text('challenge_id')
      .notNull()
      .references(() => challenges.id),
    name: text('name').notNull(),
    email: text('email').notNull(),
    phoneNumber: text('phone_number').notNull(),
    submittedAt: integer('submitted_at').notNull(),
  },
  (t) => [
    index('verse_submissions_when').on(t.challengeId, t.submittedAt),
    index('verse_submissions_age').on(t.submittedAt),
    index('verse_submissions_by_mailbox').on(sql`lower(${t.email})`),
  ],
)
