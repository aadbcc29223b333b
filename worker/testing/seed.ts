import { concerts } from '../concerts/concerts.table'
import type { ArtistLinks } from '../contract/site'
import { openDb } from '../db/client'
import { DAY_MS, HOUR_MS, type Millis } from '../lib/clock'
import { productImages, products } from '../products/products.table'
import { shippingZones } from '../shop-settings/shop-settings.table'
import { legalTexts, site, tiers } from '../site/site.table'

/** Noon on 1 July 2026 in New York. */
export const NOON: Millis = Date.parse('2026-07-01T16:00:00Z')

export const artistLinks: ArtistLinks = {
  instagram: 'https://social.example/artist',
  tiktok: '',
  youtube: 'https://video.example/artist',
  spotify: '',
  appleMusic: '',
  youtubeMusic: 'https://video.example/artist',
  broadcast: '',
  contact: '',
}

type SeedOverrides = { site: Partial<typeof site.$inferInsert>; show: Partial<typeof concerts.$inferInsert> }

/**
 * Inserts the site, terms, tiers, free shipping, a show a day after NOON and a featured product with two images. Of the
 * rows that exist, only the site's is overwritten.
 */
export async function seedSite(d1: D1Database, overrides: Partial<SeedOverrides> = {}): Promise<void> {
  const db = openDb(d1)
  const siteRow: typeof site.$inferInsert = {
    id: 1,
    name: 'Any Artist',
    tagline: 'Of Any City',
    city: 'Any City',
    hashtag: '#any',
    description: 'Any Artist plays any music.',
    lyric: 'Any line.',
    referralPrefix: 'ANY',
    timeZone: 'America/New_York',
    links: artistLinks,
    heroUrl: '/media/any/hero.webp',
    heroPortraitUrl: '/media/any/hero-portrait.webp',
    heroAlt: 'Any Artist on a stage.',
    shareImageUrl: '/media/any/share.png',
    iconUrl: '/media/any/icon.png',
    maskableIconUrl: '/media/any/icon-maskable.png',
    updatedAt: NOON,
    ...overrides.site,
  }
  await db.batch([
    db.insert(site).values(siteRow).onConflictDoUpdate({ target: site.id, set: siteRow }),
    db.insert(legalTexts).values({ id: 'terms', text: 'Any terms.', updatedAt: NOON }).onConflictDoNothing(),
    db
      .insert(tiers)
      .values(
        (['bronze', 'silver', 'gold'] as const).map((id, position) => ({
          id,
          name: id,
          priceCents: position * 1500,
          features: ['A feature'],
          position,
        })),
      )
      .onConflictDoNothing(),
    db
      .insert(concerts)
      .values({
        id: 'show-1',
        slug: 'show-1',
        city: 'Tampa',
        venue: 'Any Hall',
        address: '1 Any Street, Tampa, FL 33602',
        region: 'FL',
        postalCode: '33602',
        country: 'US',
        startsAt: NOON + DAY_MS,
        endsAt: NOON + DAY_MS + 3 * HOUR_MS,
        priceCents: 2500,
        imageUrl: '/media/any/hall.c532.webp',
        imageAlt: 'A hall.',
        ...overrides.show,
      })
      .onConflictDoNothing(),
    // Ships everywhere for free.
    db
      .insert(shippingZones)
      .values({
        id: 'everywhere',
        name: 'Everywhere',
        kind: 'shipping',
        countries: ['*'],
        methods: [
          {
            id: 'standard',
            name: 'Standard',
            pricing: 'items',
            baseCents: 0,
            perItemCents: 0,
            bands: [],
            freeFromCents: null,
          },
        ],
        position: 1,
      })
      .onConflictDoNothing(),
    db
      .insert(products)
      .values({
        id: 'clip',
        // Also the slug of the show, so that `fillPage` can fill every path with it.
        slug: 'show-1',
        name: 'Clip',
        description: 'A clip.',
        priceCents: 1999,
        stock: 3,
        isFeatured: true,
        position: 1,
      })
      .onConflictDoNothing(),
    db
      .insert(productImages)
      .values(
        [1, 2].map((position) => ({
          productId: 'clip',
          position,
          url: `/media/any/clip-${position}.webp`,
          alt: 'A clip.',
        })),
      )
      .onConflictDoNothing(),
  ])
}

// Load fixture: any number of users, one statement per table.
// User ids count down from -1, so that new sign-ups keep their usual ids. The points totals have 200 different values.

const NUMBERS_SQL = 'WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)'
const USERS_SQL = `
  ${NUMBERS_SQL} INSERT INTO users (id, username, username_key, created_at, last_active_at)
  SELECT -1 - i, 'load-user' || CAST(i AS INTEGER), 'load-user' || CAST(i AS INTEGER), 0, 0 FROM n`
const LEDGER_SQL = `
  ${NUMBERS_SQL} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT -1 - i, 'track_like', 'track_like:1', 'Liked a song', 5 * (i * 7919 % 200), i FROM n`
const VOTES_SQL = `
  ${NUMBERS_SQL} INSERT INTO poll_votes (poll_id, user_id, option_id, cast_at, counted_at)
  SELECT 'load-poll', -1 - i, iif(i % 5, 'load-poll-a', 'load-poll-b'), i, i FROM n`

const POSTS_SQL = `
  ${NUMBERS_SQL} INSERT INTO posts (id, author_id, text, created_at)
  SELECT 'load-post' || CAST(i AS INTEGER), -1 - i, 'I was there', i FROM n`

/** Inserts the poll of the load fixture, open until `endsAt`. */
export async function openLoadPoll(db: D1Database, endsAt: number): Promise<void> {
  await db.batch([
    db
      .prepare("INSERT INTO polls (id, title, ends_at, created_at) VALUES ('load-poll', 'All of us', ?1, 0)")
      .bind(endsAt),
    db.prepare(`INSERT INTO poll_options (id, poll_id, title, position)
      VALUES ('load-poll-a', 'load-poll', 'A', 1), ('load-poll-b', 'load-poll', 'B', 2)`),
  ])
}

const BATCH_SIZE = 50_000

/** Adds users `from` (inclusive) to `to` (exclusive), each with points and their ledger entry, a vote and a post. */
export async function addLoadUsers(db: D1Database, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += BATCH_SIZE) {
    const last = Math.min(first + BATCH_SIZE, to) - 1
    await db.batch([USERS_SQL, LEDGER_SQL, VOTES_SQL, POSTS_SQL].map((sql) => db.prepare(sql).bind(first, last)))
  }
}
