import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { DISCOUNT_KINDS } from '../contract/discounts'
import { TIERS } from '../contract/site'

/** Discount codes. Uses are counted from the orders that have the code. */
export const discounts = sqliteTable(
  'discounts',
  {
    id: text('id').primaryKey(),
    /** Upper case; never reused for another discount. */
    code: text('code').notNull(),
    kind: text('kind', { enum: DISCOUNT_KINDS }).notNull(),
    percent: integer('percent'),
    amountCents: integer('amount_cents'),
    minimumCents: integer('minimum_cents').notNull().default(0),
    /** Empty for all products. */
    productIds: text('product_ids', { mode: 'json' }).$type<string[]>().notNull().default([]),
    /** For supporters of this tier and those above it; null for everyone, visitors included. */
    tier: text('tier', { enum: TIERS }),
    startsAt: integer('starts_at'),
    endsAt: integer('ends_at'),
    maxUses: integer('max_uses'),
    maxUsesPerPerson: integer('max_uses_per_person'),
    /** Codes of the broadcast channel; at most one has not ended. */
    isBroadcast: integer('is_broadcast', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    version: integer('version').notNull().default(1),
    /** Can be restored. */
    removedAt: integer('removed_at'),
  },
  (t) => [
    check('discounts_kind', sql`${t.kind} in ('percent', 'amount')`),
    check(
      'discounts_value',
      sql`case ${t.kind} when 'percent' then coalesce(${t.percent}, 0) between 1 and 100 else coalesce(${t.amountCents}, 0) > 0 end`,
    ),
    check('discounts_minimum', sql`${t.minimumCents} >= 0`),
    check('discounts_products', sql`json_valid(${t.productIds})`),
    check('discounts_uses', sql`${t.maxUses} > 0 and ${t.maxUsesPerPerson} > 0`),
    uniqueIndex('discounts_code').on(t.code),
    uniqueIndex('discounts_one_broadcast').on(sql`(is_broadcast)`).where(sql`is_broadcast = 1 and ends_at is null`),
  ],
)
