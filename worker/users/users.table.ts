import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { TIERS } from '../contract/site'

/** Accounts of supporters and administrators, distinguished by `role`. */
export const users = sqliteTable(
  'users',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    username: text('username').notNull(),
    /** `usernameKey` of the username, for uniqueness. */
    usernameKey: text('username_key').notNull().unique(),
    /** As the user entered it; null after erasure. Others without one count as confirmed for votes and leaderboard. */
    email: text('email'),
    emailKey: text('email_key').unique(),
    emailVerifiedAt: integer('email_verified_at'),
    /** `mailboxKey` of the address. Accounts with the same key count as one user. */
    mailboxKey: text('mailbox_key'),
    /** `scrypt$14$8$5$salt$hash`; null if the account has no password. */
    passwordHash: text('password_hash'),
    role: text('role', { enum: ['supporter', 'administrator'] })
      .notNull()
      .default('supporter'),
    tier: text('tier', { enum: TIERS }).notNull().default('bronze'),
    /** Sum of the user's ledger entries, maintained by a trigger. */
    points: integer('points').notNull().default(0),
    referralCode: text('referral_code').unique(),
    referredBy: integer('referred_by'),
    /** The referrer is not rewarded: both accounts used one browser, or the mailbox's owner took this account over. */
    referralDisqualifiedAt: integer('referral_disqualified_at'),
    /** Keyed hash and last two digits; the number itself is not stored. */
    phoneHash: text('phone_hash'),
    phoneLast2: text('phone_last2'),
    leaderboardOptOut: integer('leaderboard_opt_out', { mode: 'boolean' }).notNull().default(false),
    /** Incremented to end every session of the account. */
    sessionEpoch: integer('session_epoch').notNull().default(0),
    /** A public demo account; excluded from all metrics. */
    isDemoLogin: integer('is_demo_login', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    /** When the erasure of this inactive or unconfirmed account last failed; the job retries it the next day. */
    eraseFailedAt: integer('erase_failed_at'),
    lastActiveAt: integer('last_active_at').notNull(),
    /** Time of the last inactivity warning; older than `lastActiveAt` if the user returned. */
    inactivityWarnedAt: integer('inactivity_warned_at'),
    /** When the user confirmed the minimum age; null if no notice was shown. */
    ageConfirmedAt: integer('age_confirmed_at'),
    /** Version of the age notice that the user confirmed. */
    ageWording: text('age_wording'),
    bannedAt: integer('banned_at'),
    erasedAt: integer('erased_at'),
  },
  (t) => [
    check('users_role', sql`${t.role} in ('supporter', 'administrator')`),
    check('users_tier', sql`${t.tier} in ('bronze', 'silver', 'gold')`),
    check('users_points', sql`${t.points} >= 0`),
    index('users_by_points')
      .on(sql`${t.points} desc`, t.id)
      .where(
        sql`role = 'supporter' and leaderboard_opt_out = 0 and is_demo_login = 0 and banned_at is null and erased_at is null and (email is null or email_verified_at is not null)`,
      ),
    index('users_by_mailbox').on(t.mailboxKey).where(sql`mailbox_key is not null`),
    index('users_by_phone').on(t.phoneHash).where(sql`phone_hash is not null`),
    index('users_by_referrer').on(t.referredBy, t.id).where(sql`referred_by is not null`),
    index('users_administrators').on(t.id).where(sql`role = 'administrator'`),
    index('users_unconfirmed')
      .on(t.lastActiveAt)
      .where(sql`email_verified_at is null and email is not null and erased_at is null`),
    index('users_by_activity').on(t.lastActiveAt).where(sql`erased_at is null`),
    index('users_to_erase').on(t.eraseFailedAt).where(sql`erase_failed_at is not null`),
    // For the admin list of supporters: sorted by points, and filtered by ban.
    index('users_supporters_by_points').on(t.points, t.id).where(sql`role = 'supporter' and erased_at is null`),
    index('users_banned').on(t.id).where(sql`banned_at is not null`),
    // Covers the supporter counts of the overview.
    index('users_supporters')
      .on(t.tier, t.createdAt)
      .where(sql`role = 'supporter' and is_demo_login = 0 and erased_at is null`),
  ],
)

/** Keyed hashes of the mailbox and phone of erased users with a referrer, so that no referral is rewarded twice. */
export const erasedReferrals = sqliteTable('referrals_had', {
  hash: text('hash').primaryKey(),
  createdAt: integer('created_at').notNull(),
})
