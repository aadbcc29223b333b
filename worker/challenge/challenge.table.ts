import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/**
 * A verse challenge. Days are YYYY-MM-DD in the artist's time zone; the state follows from the timestamps computed from
 * them. A phase ends just before its closing timestamp.
 */
export const challenges = sqliteTable(
  'challenges',
  {
    id: text('id').primaryKey(),
    title: text('title').notNull(),
    prize: text('prize').notNull(),
    /** Paragraphs of plain text. */
    rules: text('rules').notNull().default(''),
    /** R2 key of the audio file that verses are recorded over, if there is one. */
    beatKey: text('beat_key'),
    submissionsFrom: text('submissions_from').notNull(),
    submissionsUntil: text('submissions_until').notNull(),
    finalistsOn: text('finalists_on').notNull(),
    votingFrom: text('voting_from').notNull(),
    votingUntil: text('voting_until').notNull(),
    winnerOn: text('winner_on').notNull(),
    closedOn: text('closed_on').notNull(),
    /** Soft delete; restorable. */
    removedAt: integer('removed_at'),
    submissionsOpenAt: integer('submissions_open_at').notNull().default(0),
    submissionsCloseAt: integer('submissions_close_at').notNull().default(0),
    /** Finalists are public from then on, once submissions have closed. */
    finalistsAt: integer('finalists_at').notNull().default(0),
    votingOpensAt: integer('voting_opens_at').notNull().default(0),
    votingClosesAt: integer('voting_closes_at').notNull().default(0),
    /** Finalists were named after voting was due to open: an administrator opens it. */
    opensByHand: integer('opens_by_hand', { mode: 'boolean' }).notNull().default(false),
    /** The result is public from then on, once the votes are counted. */
    publishAt: integer('publish_at').notNull().default(0),
    /** When the votes became final; triggers then reject changes to ballots and finalists. */
    sealedAt: integer('sealed_at'),
    /** SHA-256 of the tally, lower-case hex; null until counted. Written once. */
    ballotsSha256: text('ballots_sha256'),
    /** Ballots in the tally, and how many of them are excluded. */
    ballotsCount: integer('ballots_count'),
    excludedCount: integer('excluded_count'),
    /** Fingerprint of the secret that keyed the first pseudonym: another secret would let everyone vote again. */
    keyedBy: text('keyed_by'),
    /** Incremented with every edit. An edit that sends an older version is rejected. */
    version: integer('version').notNull().default(1),
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
    name: text('name').notNull(),
    position: integer('position').notNull(),
    /** Source of the recording; null without a verse. */
    submissionId: text('submission_id').references((): AnySQLiteColumn => verseSubmissions.id),
    /** Counted ballots, maintained by triggers. */
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
    /** Keyed hash of the voter's mailbox and the challenge. */
    voterPseudonym: text('voter_pseudonym').notNull(),
    /** Reason of an exclusion, e.g. `burst+new_account`; null if counted. */
    excludedFor: text('excluded_for'),
  },
  (t) => [
    unique('challenge_ballots_once').on(t.challengeId, t.voterPseudonym),
    // The finalist comes first, for the foreign key check when a finalist is removed.
    index('challenge_ballots_tally').on(t.finalistId, t.challengeId),
    // SQLite appends the row id to the index, which gives the order of the tally.
    index('challenge_ballots_order').on(t.challengeId),
  ],
)

/** Network and device of a ballot as keyed hashes. Deleted when the votes are final. */
export const ballotFingerprints = sqliteTable(
  'ballot_marks',
  {
    ballotId: integer('ballot_id')
      .primaryKey()
      .references(() => challengeBallots.id),
    challengeId: text('challenge_id').notNull(),
    network: text('network').notNull(),
    /** Null without the known-device cookie. */
    device: text('device'),
    castAt: integer('cast_at').notNull(),
  },
  (t) => [
    index('ballot_marks_of_network').on(t.challengeId, t.network, t.castAt),
    index('ballot_marks_of_device').on(t.challengeId, t.device).where(sql`device is not null`),
  ],
)

/** A ballot to review, and the decision about it. The ballot counts until it is excluded. */
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

/** A submitted verse. Name, email and phone are visible to administrators only. */
export const verseSubmissions = sqliteTable(
  'verse_submissions',
  {
    id: text('id').primaryKey(),
    challengeId: text('challenge_id')
      .notNull()
      .references(() => challenges.id),
    name: text('name').notNull(),
    /** `deleted` once the verse is anonymized (challenge/withdraw.ts). */
    email: text('email').notNull(),
    phoneNumber: text('phone_number').notNull(),
    submittedAt: integer('submitted_at').notNull(),
    /** Set at once for a confirmed account's mailbox, else by the emailed link. Unconfirmed verses do not count. */
    confirmedAt: integer('confirmed_at'),
    /** Null for a visitor and after erasure. */
    userId: integer('user_id').references(() => users.id),
    /** Normalized mailbox, so that aliases count as one. */
    mailboxKey: text('mailbox_key'),
    /** Version of VERSE_TERMS that the entrant accepted. */
    termsVersion: text('terms_version'),
    /** R2 key of the recording. */
    audioKey: text('audio_key'),
    shortlisted: integer('shortlisted', { mode: 'boolean' }).notNull().default(false),
    /** Note of the administrators. */
    note: text('note').notNull().default(''),
  },
  (t) => [
    index('verse_submissions_when').on(t.challengeId, t.submittedAt),
    index('verse_submissions_age').on(t.submittedAt),
    index('verse_submissions_by_mailbox').on(sql`lower(${t.email})`),
    uniqueIndex('verse_submissions_once')
      .on(t.challengeId, t.mailboxKey)
      .where(sql`mailbox_key is not null and confirmed_at is not null`),
    uniqueIndex('verse_submissions_by_user').on(t.userId, t.challengeId).where(sql`user_id is not null`),
    uniqueIndex('verse_submissions_audio').on(t.audioKey).where(sql`audio_key is not null`),
  ],
)

/** A team member's rating of a verse, 1 to 5; one per member and verse. */
export const verseRatings = sqliteTable(
  'verse_ratings',
  {
    submissionId: text('submission_id')
      .notNull()
      .references(() => verseSubmissions.id),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    rating: integer('rating').notNull(),
    ratedAt: integer('rated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.submissionId, t.userId] }),
    index('verse_ratings_by_user').on(t.userId),
    check('verse_ratings_range', sql`${t.rating} between 1 and 5`),
  ],
)
