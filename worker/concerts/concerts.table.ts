import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const concerts = sqliteTable(
  'concerts',
  {
    id: text('id').primaryKey(),
    city: text('city').notNull(),
    venue: text('venue').notNull(),
    address: text('address').notNull(),
    /** Instants; the venue's clock is derived from `timeZone` (ruling 5). */
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at').notNull(),
    timeZone: text('time_zone').notNull().default('America/New_York'),
    /** Integer cents at the door; 0 is free. */
    priceCents: integer('price_cents').notNull(),
    ticketsAvailable: integer('tickets_available'),
    isSoldOut: integer('is_sold_out', { mode: 'boolean' }).notNull().default(false),
    hasVip: integer('has_vip', { mode: 'boolean' }).notNull().default(false),
    imageUrl: text('image_url').notNull(),
    imageAlt: text('image_alt').notNull(),
    /** Taken off the calendar; it can be put back. */
    removedAt: integer('removed_at'),
  },
  (t) => [
    check('concerts_times', sql`${t.endsAt} > ${t.startsAt}`),
    check('concerts_price', sql`${t.priceCents} >= 0`),
    index('concerts_when').on(t.startsAt, t.id),
    index('concerts_by_end').on(t.endsAt),
  ],
)

/**
 * Who asked to be told of shows: of all of them, or, a supporter who asked for a city, of those there. `entry` is what
 * was typed, or the address; an e-mail address gets mail only once confirmed.
 */
export const showAlerts = sqliteTable(
  'show_alerts',
  {
    id: text('id').primaryKey(),
    entry: text('entry').notNull(),
    /** Folded entry, and the city where one is meant: the same wish is stored once. */
    entryKey: text('entry_key').notNull().unique(),
    /** The folded address when the entry is one. */
    emailKey: text('email_key'),
    /** The city whose shows are meant; null for all. */
    city: text('city'),
    cityKey: text('city_key'),
    confirmedAt: integer('confirmed_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('show_alerts_by_mailbox').on(t.emailKey).where(sql`email_key is not null`),
    index('show_alerts_unconfirmed').on(t.createdAt).where(sql`confirmed_at is null`),
  ],
)

/** Wishes for a city: one a person and city, so that demand counts people, not clicks. */
export const cityRequests = sqliteTable(
  'city_requests',
  {
    /** Folded name. */
    cityKey: text('city_key').notNull(),
    /** Keyed hash of the visitor's address and month, or of the account: enough to count once, useless to identify. */
    requester: text('requester').notNull(),
    city: text('city').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.cityKey, t.requester] }),
    index('city_requests_age').on(t.createdAt),
    index('city_requests_of').on(t.requester),
  ],
)

/** How many people have asked for a city, spelt as the first of them did: kept by triggers (migration 0010). */
export const cityTotals = sqliteTable(
  'city_demand',
  {
    cityKey: text('city_key').primaryKey(),
    city: text('city').notNull(),
    people: integer('people').notNull(),
  },
  (t) => [
    check('city_demand_people', sql`${t.people} >= 0`),
    index('city_demand_most').on(sql`${t.people} desc`, t.cityKey),
  ],
)
