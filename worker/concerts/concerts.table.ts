import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const concerts = sqliteTable(
  'concerts',
  {
    id: text('id').primaryKey(),
    /** Last segment of the page's URL; never changes. */
    slug: text('slug').notNull(),
    city: text('city').notNull(),
    venue: text('venue').notNull(),
    /** As displayed; with city, region and postal code. */
    address: text('address').notNull(),
    /** State or province, such as FL; empty if unknown. */
    region: text('region').notNull().default(''),
    postalCode: text('postal_code').notNull().default(''),
    /** ISO 3166-1 alpha-2; empty if unknown. */
    country: text('country').notNull().default(''),
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at').notNull(),
    /** The venue's IANA time zone. */
    timeZone: text('time_zone').notNull().default('America/New_York'),
    /** Price at the door; 0 is free. */
    priceCents: integer('price_cents').notNull(),
    /** Null if unknown. */
    ticketsAvailable: integer('tickets_available'),
    isSoldOut: integer('is_sold_out', { mode: 'boolean' }).notNull().default(false),
    hasVip: integer('has_vip', { mode: 'boolean' }).notNull().default(false),
    imageUrl: text('image_url').notNull(),
    imageAlt: text('image_alt').notNull(),
    /** Removed from the calendar; can be restored. */
    removedAt: integer('removed_at'),
    /** Incremented with every save. A save must send the version that it changes. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('concerts_times', sql`${t.endsAt} > ${t.startsAt}`),
    check('concerts_price', sql`${t.priceCents} >= 0`),
    uniqueIndex('concerts_slug').on(t.slug),
    index('concerts_when').on(t.startsAt, t.id),
    index('concerts_by_end').on(t.endsAt),
  ],
)

/** Requests for alerts about new shows. An email address receives alerts once it is confirmed; other texts never do. */
export const showAlerts = sqliteTable(
  'show_alerts',
  {
    id: text('id').primaryKey(),
    /** As typed; only the last two digits of a phone number. */
    entry: text('entry').notNull(),
    /** Normalized entry, with the city if there is one; `phone:` and a keyed hash for a phone number. */
    entryKey: text('entry_key').notNull().unique(),
    /** Set if the entry is an email address. */
    emailKey: text('email_key'),
    /** Null for shows everywhere. */
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

/** Requests for a show in a city, one per requester and city. */
export const cityRequests = sqliteTable(
  'city_requests',
  {
    cityKey: text('city_key').notNull(),
    /** Keyed hash of the account, or of IP address and month; random once anonymized. */
    requester: text('requester').notNull(),
    city: text('city').notNull(),
    createdAt: integer('created_at').notNull(),
    /** The request counts from then on: when sent or, if later, when the account was confirmed. Null if not counted. */
    confirmedAt: integer('confirmed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.cityKey, t.requester] }),
    index('city_requests_age').on(t.createdAt),
    index('city_requests_of').on(t.requester),
  ],
)

/** Requests per city, updated by triggers (migration 0038); spelled as in the first counted request. */
export const cityTotals = sqliteTable(
  'city_demand',
  {
    cityKey: text('city_key').primaryKey(),
    city: text('city').notNull(),
    requesters: integer('people').notNull(),
  },
  (t) => [
    check('city_demand_people', sql`${t.requesters} >= 0`),
    index('city_demand_most').on(sql`${t.requesters} desc`, t.cityKey),
  ],
)
