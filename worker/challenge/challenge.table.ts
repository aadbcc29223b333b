import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/**
 * A fan verse challenge. Days are YYYY-MM-DD in the artist's zone (ruling 4); the instants beside them decide: they are
 * made of the days, and moved to now by the desk's hand. A stage lasts from its instant to before the next.
 */
export const challenges = sqliteTable(
  'challenges',
  {
    id: text('id').primaryKey(),
    title: text('title').notNull(),
    prize: text('prize').notNull(),
    /** Paragraphs of plain text. */
    rules: text('rules').notNull().default(''),
    submissionsFrom: text('submissions_from').notNull(),
    submissionsUntil: text('submissions_until').notNull(),
    finalistsOn: text('finalists_on').notNull(),
    votingFrom: text('voting_from').notNull(),
    votingUntil: text('voting_until').notNull(),
    winnerOn: text('winner_on').notNull(),
    closedOn: text('closed_on').notNull(),
    /** Off the site since then: whoever reads challenges leaves it out. An undo puts it back. */
    removedAt: integer('removed_at'),
    submissionsOpenAt: integer('submissions_open_at').notNull().default(0),
    submissionsCloseAt: integer('submissions_close_at').notNull().default(0),
    /** Whom the desk has named is public from here on. */
    finalistsAt: integer('finalists_at').notNull().default(0),
    votingOpensAt: integer('voting_opens_at').notNull().default(0),
    votingClosesAt: integer('voting_closes_at').notNull().default(0),
    /** Its finalists were named when the first day of voting had come: voting opens by the desk's hand alone. */
    opensByHand: integer('opens_by_hand', { mode: 'boolean' }).notNull().default(false),
    /** The winner may be told, once the votes are counted: the winner's day is over. */
    publishAt: integer('publish_at').notNull().default(0),
    /** From here on triggers let no ballot and no finalist of it change. */
    sealedAt: integer('sealed_at'),
    /** Of the tally's bytes, lower-case hex; null while it is being counted. Set once. */
    ballotsSha256: text('ballots_sha256'),
    /** Ballots in the tally, and how many of them are left out of the count. */
    ballotsCount: integer('ballots_count'),
    excludedCount: integer('excluded_count'),
    /** Of the secret that made its first pseudonym: under another one everybody could vote again. */
    keyedBy: text('keyed_by'),
  },
  (t) => [index('challenges_by_end').on(t.publishAt)],
)

export const challengeFinalists = sqliteTable(
  'challenge_finalists',
  {
    id: text('id').primaryKey(),
    challengeId: text('challenge_id')
      .notNull()
      .references(() => challenges.id),
    /** The stage name that the public reads. */
    name: text('name').notNull(),
    position: integer('position').notNull(),
    /** Whose recording is played; null for who sent none here. */
    submissionId: text('submission_id').references((): AnySQLiteColumn => verseSubmissions.id),
    /** Kept by the ballot's triggers: equals the number of ballots for it that count. */
    votes: integer('votes').notNull().default(0),
  },
  (t) => [
    unique('challenge_finalists_order').on(t.challengeId, t.position),
    uniqueIndex('challenge_finalists_verse').on(t.submissionId).where(sql`submission_id is not null`),
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
    /** A keyed hash of the voter's mailbox and the challenge: once a mailbox, and it leads back to nobody. */
    voterPseudonym: text('voter_pseudonym').notNull(),
    /** Why the desk left it out, as the tally says it: `burst+new_account`. Null for one that counts. */
    excludedFor: text('excluded_for'),
  },
  (t) => [
    unique('challenge_ballots_once').on(t.challengeId, t.voterPseudonym),
    // By finalist alone, too: who is taken off the list is looked for among the ballots.
    index('challenge_ballots_tally').on(t.finalistId, t.challengeId),
    // With the row's id behind it: the order of the tally.
    index('challenge_ballots_order').on(t.challengeId),
  ],
)

/** Where a ballot came from, as keyed hashes of this challenge alone. Deleted when the votes are fixed. */
export const ballotMarks = sqliteTable(
  'ballot_marks',
  {
    ballotId: integer('ballot_id')
      .primaryKey()
      .references(() => challengeBallots.id),
    challengeId: text('challenge_id').notNull(),
    network: text('network').notNull(),
    /** Null for a browser without the cookie of a known device. */
    device: text('device'),
    castAt: integer('cast_at').notNull(),
  },
  (t) => [
    index('ballot_marks_of_network').on(t.challengeId, t.network, t.castAt),
    index('ballot_marks_of_device').on(t.challengeId, t.device).where(sql`device is not null`),
  ],
)

/** A ballot that the desk is to look at, and what it decided. It counts until somebody decides otherwise. */
export const ballotFlags = sqliteTable(
  'ballot_flags',
  {
    ballotId: integer('ballot_id')
      .primaryKey()
      .references(() => challengeBallots.id),
    challengeId: text('challenge_id')
      .notNull()
      .references(() => challenges.id),
    isBurst: integer('is_burst', { mode: 'boolean' }).notNull().default(false),
    isSharedDevice: integer('is_shared_device', { mode: 'boolean' }).notNull().default(false),
    isNewAccount: integer('is_new_account', { mode: 'boolean' }).notNull().default(false),
    decision: text('decision', { enum: ['kept', 'excluded'] }),
    reason: text('reason').notNull().default(''),
    decidedBy: integer('decided_by').references(() => users.id),
    decidedAt: integer('decided_at'),
  },
  (t) => [
    index('ballot_flags_with_words').on(t.decidedAt).where(sql`reason <> ''`),
    index('ballot_flags_of_challenge').on(t.challengeId, t.decidedAt, t.ballotId),
    check(
      'ballot_flags_decision',
      sql`${t.decision} in ('kept', 'excluded') and ${t.decidedAt} is not null or ${t.decision} is null`,
    ),
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
    /** Who was logged in; null for a visitor and once the sender is forgotten. */
    userId: integer('user_id').references(() => users.id),
    /** The mailbox behind the address, aliases folded: one verse each. */
    mailboxKey: text('mailbox_key'),
    /** Which words the sender accepted (contract/challenge-now, VERSE_TERMS). */
    termsVersion: text('terms_version'),
    /** The recording in R2, as an upload's key. */
    audioKey: text('audio_key'),
    shortlisted: integer('shortlisted', { mode: 'boolean' }).notNull().default(false),
    /** The desk's own words. */
    note: text('note').notNull().default(''),
  },
  (t) => [
    index('verse_submissions_when').on(t.challengeId, t.submittedAt),
    index('verse_submissions_age').on(t.submittedAt),
    index('verse_submissions_by_mailbox').on(sql`lower(${t.email})`),
    uniqueIndex('verse_submissions_once').on(t.challengeId, t.mailboxKey).where(sql`mailbox_key is not null`),
    uniqueIndex('verse_submissions_by_user').on(t.userId, t.challengeId).where(sql`user_id is not null`),
    uniqueIndex('verse_submissions_audio').on(t.audioKey).where(sql`audio_key is not null`),
  ],
)
