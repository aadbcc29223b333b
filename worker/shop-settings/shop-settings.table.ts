import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type ShippingRate, ZONE_KINDS } from '../contract/shop-settings'

/** Triggers copy the countries of zones that are not removed into `shipping_countries`. */
export const shippingZones = sqliteTable(
  'shipping_zones',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind', { enum: ZONE_KINDS }).notNull(),
    countries: text('countries', { mode: 'json' }).$type<string[]>().notNull(),
    methods: text('methods', { mode: 'json' }).$type<ShippingRate[]>().notNull(),
    position: integer('position').notNull(),
    version: integer('version').notNull().default(1),
    /** Can be restored. */
    removedAt: integer('removed_at'),
  },
  (t) => [
    check('shipping_zones_kind', sql`${t.kind} in ('shipping', 'pickup')`),
    check('shipping_zones_json', sql`json_valid(${t.countries}) and json_valid(${t.methods})`),
  ],
)

/** A country is in one zone. */
export const shippingCountries = sqliteTable('shipping_countries', {
  country: text('country').primaryKey(),
  zoneId: text('zone_id')
    .notNull()
    .references(() => shippingZones.id),
})

export const taxRates = sqliteTable(
  'tax_rates',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    country: text('country').notNull(),
    /** Code of a state or province; empty for the whole country. */
    region: text('region').notNull(),
    ratePer100k: integer('rate_per_100k').notNull(),
    included: integer('included', { mode: 'boolean' }).notNull(),
    version: integer('version').notNull().default(1),
    /** Can be restored. */
    removedAt: integer('removed_at'),
  },
  (t) => [
    check('tax_rates_rate', sql`${t.ratePer100k} between 0 and 100000`),
    uniqueIndex('tax_rates_place').on(t.country, t.region).where(sql`removed_at is null`),
  ],
)
