import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ZONE_KINDS, type ZoneShippingMethod } from '../contract/shop-settings'

/** Triggers copy the countries of zones that are not removed into `shipping_countries`. */
export const shippingZones = sqliteTable(
  'shipping_zones',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    kind: text('kind', { enum: ZONE_KINDS }).notNull(),
    countries: text('countries', { mode: 'json' }).$type<string[]>().notNull(),
    methods: text('methods', { mode: 'json' }).$type<ZoneShippingMethod[]>().notNull(),
    position: integer('position').notNull(),
    version: integer('version').notNull().default(1),
    /** Soft delete: null while active. */
    removedAt: integer('removed_at'),
  },
  (t) => [
    check('shipping_zones_kind', sql`${t.kind} in ('shipping', 'pickup')`),
    check('shipping_zones_json', sql`json_valid(${t.countries}) and json_valid(${t.methods})`),
  ],
)

/** The zone of a country; the primary key allows only one. */
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
    /** Thousandths of a percent: 19000 is 19%. */
    ratePer100k: integer('rate_per_100k').notNull(),
    /** True if prices already contain this tax. */
    included: integer('included', { mode: 'boolean' }).notNull(),
    version: integer('version').notNull().default(1),
    /** Soft delete: null while active. */
    removedAt: integer('removed_at'),
  },
  (t) => [
    check('tax_rates_rate', sql`${t.ratePer100k} between 0 and 100000`),
    uniqueIndex('tax_rates_place').on(t.country, t.region).where(sql`removed_at is null`),
  ],
)
