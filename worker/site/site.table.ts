import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AppearanceDraft } from '../contract/appearance'
import { LEGAL_TEXT_IDS } from '../contract/appearance-rules'
import { type ArtistLinks, TIERS } from '../contract/site'

/** One row: the artist and the settings of the site. */
export const site = sqliteTable(
  'site',
  {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    tagline: text('tagline').notNull(),
    city: text('city').notNull(),
    hashtag: text('hashtag').notNull(),
    /** One or two sentences for search engines and shared links. */
    description: text('description').notNull(),
    /** A line of lyrics that a button in the footer reveals; empty for none. */
    lyric: text('lyric').notNull(),
    referralPrefix: text('referral_prefix').notNull(),
    /** IANA zone of the artist's calendar days. */
    timeZone: text('time_zone').notNull(),
    /** ISO 4217 code of all prices; fixed once there is an order. */
    currency: text('currency').notNull().default('USD'),
    /** ISO 3166-1 code of the country whose included tax shows until the buyer's address is known; empty for none. */
    homeCountry: text('home_country').notNull().default(''),
    /** Low stock: a variant with at most this many units left. */
    lowStockThreshold: integer('low_stock_threshold').notNull().default(3),
    links: text('links', { mode: 'json' }).$type<ArtistLinks>().notNull(),
    heroUrl: text('hero_url').notNull(),
    heroPortraitUrl: text('hero_portrait_url').notNull(),
    heroAlt: text('hero_alt').notNull(),
    /** 1200x630, for shared links. */
    shareImageUrl: text('share_image_url').notNull(),
    /** Square PNG of 512 px. */
    iconUrl: text('icon_url').notNull(),
    maskableIconUrl: text('maskable_icon_url').notNull(),
    /** `#rrggbb`; null for the default color. */
    accent: text('accent'),
    /** Sections of the home page in order; null for the defaults. */
    sections: text('sections', { mode: 'json' }).$type<AppearanceDraft['sections']>(),
    /** Navigation labels that differ from the defaults; null for none. */
    labels: text('labels', { mode: 'json' }).$type<Partial<AppearanceDraft['labels']>>(),
    /** When an owner hid the list of first steps; null while it shows. */
    setupHiddenAt: integer('setup_hidden_at'),
    updatedAt: integer('updated_at').notNull(),
    /** Optimistic locking: an update sends the version it was based on. */
    version: integer('version').notNull().default(1),
  },
  (t) => [check('site_single', sql`${t.id} = 1`), check('site_links', sql`json_valid(${t.links})`)],
)

/** Legal texts of a shop as Markdown. An empty text has no page. */
export const legalTexts = sqliteTable(
  'legal_texts',
  {
    id: text('id', { enum: LEGAL_TEXT_IDS }).primaryKey(),
    text: text('text').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** Optimistic locking: an update sends the version it was based on. */
    version: integer('version').notNull().default(1),
  },
  (t) => [check('legal_texts_id', sql`${t.id} in ('terms', 'returns', 'imprint')`)],
)

export const socialPosts = sqliteTable('social_posts', {
  id: text('id').primaryKey(),
  title: text('title').notNull(),
  url: text('url').notNull(),
  imageUrl: text('image_url').notNull(),
  imageAlt: text('image_alt').notNull(),
  position: integer('position').notNull(),
  /** Soft delete: null while active. */
  removedAt: integer('removed_at'),
  /** Optimistic locking: an update sends the version it was based on. */
  version: integer('version').notNull().default(1),
})

export const tiers = sqliteTable(
  'tiers',
  {
    id: text('id', { enum: TIERS }).primaryKey(),
    name: text('name').notNull(),
    /** Per month. */
    priceCents: integer('price_cents').notNull(),
    features: text('features', { mode: 'json' }).$type<string[]>().notNull(),
    popular: integer('popular', { mode: 'boolean' }).notNull().default(false),
    position: integer('position').notNull(),
    /** Optimistic locking: an update sends the version it was based on. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('tiers_id', sql`${t.id} in ('bronze', 'silver', 'gold')`),
    check('tiers_price', sql`${t.priceCents} >= 0`),
    check('tiers_features', sql`json_valid(${t.features})`),
  ],
)
