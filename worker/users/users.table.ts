import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Everybody with an account. Supporters and administrators differ by `role` alone. */
export const users = sqliteTable(
  'users',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    username: text('username').notNull(),
    /** Case-folded: what uniqueness is decided by (ruling 12). */
    usernameKey: text('username_key').notNull().unique(),
    /** As typed; null for seeded supporters and after erasure. */
    email: text('email'),
    emailKey: text('email_key').unique(),
    emailVerifiedAt: integer('email_verified_at'),
    /** The mailbox behind the address, aliases folded: two accounts that share it earn no referral (ruling 19). */
    mailboxKey: text('mailbox_key'),
    /** `scrypt$14$8$5$salt$hash`; null when the account has no password. */
    passwordHash: text('password_hash'),
    role: text('role', { enum: ['supporter', 'administrator'] })
      .notNull()
      .default('supporter'),
    tier: text('tier', { enum: ['bronze', 'silver', 'gold'] })
      .notNull()
      .default('bronze'),
    /** Always the sum of the person's ledger rows; written by the ledger's trigger alone (ruling 16). */
    points: integer('points').notNull().default(0),
    referralCode: text('referral_code').unique(),
    referredBy: integer('referred_by'),
    /** Keyed hash and last two digits of the phone; the number itself is not kept (ruling 20). */
    phoneHash: text('phone_hash'),
    phoneLast2: text('phone_last2'),
    leaderboardOptOut: integer('leaderboard_opt_out', { mode: 'boolean' }).notNull().default(false),
    /** Bumped to end every session of the account at once (ruling 11). */
    sessionEpoch: integer('session_epoch').notNull().default(0),
    /** A log-in printed by the demo: counted in no figure (ruling 3). */
    isDemoLogin: integer('is_demo_login', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    /** Erasing this silent account failed then: the others come first, and it is tried again the next day. */
    eraseFailedAt: integer('erase_failed_at'),
    lastActiveAt: integer('last_active_at').notNull(),
    /** When somebody who had fallen silent was told that the account ends; older than `lastActiveAt` once they came back. */
    inactivityWarnedAt: integer('inactivity_warned_at'),
    /** When the person confirmed to be old enough for the site, and under which wording; null where nothing asked them. */
    ageConfirmedAt: integer('age_confirmed_at'),
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
        sql`role = 'supporter' and leaderboard_opt_out = 0 and is_demo_login = 0 and banned_at is null and erased_at is null`,
      ),
    index('users_by_mailbox').on(t.mailboxKey).where(sql`mailbox_key is not null`),
    index('users_by_phone').on(t.phoneHash).where(sql`phone_hash is not null`),
    index('users_by_referrer').on(t.referredBy, t.id).where(sql`referred_by is not null`),
    index('users_administrators').on(t.id).where(sql`role = 'administrator'`),
    index('users_by_activity').on(t.lastActiveAt).where(sql`erased_at is null`),
    index('users_to_erase').on(t.eraseFailedAt).where(sql`erase_failed_at is not null`),
    // Who counts as a supporter (ruling 3), by tier and age: the overview reads nothing but this.
    index('users_supporters')
      .on(t.tier, t.createdAt)
      .where(sql`role = 'supporter' and is_demo_login = 0 and erased_at is null`),
  ],
)

/**
 * Newcomers who came by a code and are gone (ruling 19: a referral is paid once a person): keyed hashes of the mailbox and
 * of the phone number, which lead back to nobody.
 */
export const referralsHad = sqliteTable('referrals_had', {
  hash: text('hash').primaryKey(),
  createdAt: integer('created_at').notNull(),
})
