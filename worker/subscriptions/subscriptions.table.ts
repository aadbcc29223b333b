import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { PAID_TIERS, SUBSCRIPTION_STATUSES } from '../contract/subscriptions'
import { users } from '../users/users.table'

/** Who the provider knows a supporter as, and whether the free week has been had. */
export const billingCustomers = sqliteTable(
  'billing_customers',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id),
    customerId: text('customer_id').notNull().unique(),
    /** The free week is once a person (ruling 26). */
    trialUsedAt: integer('trial_used_at'),
    /** A page of the provider's that offers the free week stands open until then at the latest: no other is offered it. */
    trialHeldUntil: integer('trial_held_until'),
    /** Counts the provider's pages that were asked for: only the latest stays open. Part of the idempotency key. */
    checkouts: integer('checkouts').notNull().default(0),
    /** The person is gone: the provider is to delete its customer, and then this row goes (forget.ts). */
    forgetWantedAt: integer('forget_wanted_at'),
  },
  (t) => [index('billing_customers_to_forget').on(t.forgetWantedAt).where(sql`forget_wanted_at is not null`)],
)

/** The provider's subscriptions as last read from it: a copy that decides the tier, never the other way round. */
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
    cancels: integer('cancels', { mode: 'boolean' }).notNull().default(false),
    /** When this was read from the provider: a reading that began earlier never overwrites one that began later. */
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

/**
 * Free weeks of people who are gone (ruling 26: once a person): keyed hashes of the mailbox and of the phone number,
 * which lead back to nobody.
 */
export const trialsHad = sqliteTable('trials_had', {
  hash: text('hash').primaryKey(),
  createdAt: integer('created_at').notNull(),
})
