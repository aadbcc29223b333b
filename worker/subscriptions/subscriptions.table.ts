import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { PAID_TIERS, SUBSCRIPTION_STATUSES } from '../contract/subscriptions'
import { users } from '../users/users.table'

/** The provider's customer of a user, and whether the trial was used. */
export const billingCustomers = sqliteTable(
  'billing_customers',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id),
    /** `pending:<user id>` from before the request to the provider until its response is stored. */
    customerId: text('customer_id').notNull().unique(),
    /** When the user's only trial began. */
    trialUsedAt: integer('trial_used_at'),
    /** Until then, a checkout page offers the trial, so checkouts of the user's other accounts may not. */
    trialHeldUntil: integer('trial_held_until'),
    /** Number of checkout pages; only the latest stays open. Part of the idempotency key. */
    checkouts: integer('checkouts').notNull().default(0),
    /** When the user was erased or the deletion last failed. A job deletes the provider's customer, then this row. */
    erasureRequestedAt: integer('forget_wanted_at'),
  },
  (t) => [index('billing_customers_to_forget').on(t.erasureRequestedAt).where(sql`forget_wanted_at is not null`)],
)

/** Subscriptions as last read from the provider. They decide the tier. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    tier: text('tier', { enum: PAID_TIERS }).notNull(),
    status: text('status', { enum: SUBSCRIPTION_STATUSES }).notNull(),
    trialEndsAt: integer('trial_ends_at'),
    periodEndsAt: integer('period_ends_at'),
    /** The subscription ends with the period. */
    cancels: integer('cancels', { mode: 'boolean' }).notNull().default(false),
    /** When the request that returned these values began: older values never overwrite newer ones. */
    asOf: integer('as_of').notNull(),
  },
  (t) => [
    check('subscriptions_tier', sql`${t.tier} in ('silver', 'gold')`),
    check(
      'subscriptions_status',
      sql`${t.status} in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'ended')`,
    ),
    index('subscriptions_by_user').on(t.userId, t.asOf),
  ],
)

/** Trials of erased users: keyed hashes of mailbox and phone number, which do not identify the user. */
export const erasedTrials = sqliteTable('trials_had', {
  hash: text('hash').primaryKey(),
  createdAt: integer('created_at').notNull(),
})
