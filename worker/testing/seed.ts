import { concerts } from '../concerts/concerts.table'
import type { Links } from '../contract/site'
import { openDb } from '../db/client'
import { DAY_MS, HOUR_MS, type Millis } from '../lib/clock'
import { productImages, products } from '../products/products.table'
import { site, tiers } from '../site/site.table'

/** A moment for tests: noon of a July day in New York. */
export const NOON: Millis = Date.parse('2026-07-01T16:00:00Z')

const links: Links = {
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

/** Sets the site up: the artist's row, three tiers, a show a day after `NOON`, a featured product with two pictures. */
export async function seedSite(d1: D1Database, rows: Partial<SeedOverrides> = {}): Promise<void> {
  const db = openDb(d1)
  const artist: typeof site.$inferInsert = {
    id: 1,
    name: 'Any Artist',
    tagline: 'Of Any City',
    city: 'Any City',
    hashtag: '#any',
    description: 'Any Artist plays any music.',
    lyric: 'Any line.',
    referralPrefix: 'ANY',
    timeZone: 'America/New_York',
    links,
    heroUrl: '/media/any/hero.webp',
    heroPortraitUrl: '/media/any/hero-portrait.webp',
    heroAlt: 'Any Artist on a stage.',
    shareImageUrl: '/media/any/share.png',
    iconUrl: '/media/any/icon.png',
    maskableIconUrl: '/media/any/icon-maskable.png',
    updatedAt: NOON,
    ...rows.site,
  }
  await db.batch([
    db.insert(site).values(artist).onConflictDoUpdate({ target: site.id, set: artist }),
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
        city: 'Tampa',
        venue: 'Any Hall',
        address: '1 Any Street, Tampa, FL 33602',
        startsAt: NOON + DAY_MS,
        endsAt: NOON + DAY_MS + 3 * HOUR_MS,
        priceCents: 2500,
        imageUrl: '/media/any/hall.webp',
        imageAlt: 'A hall.',
        ...rows.show,
      })
      .onConflictDoNothing(),
    db
      .insert(products)
      .values({
        id: 'clip',
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
