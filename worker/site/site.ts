import { asc } from 'drizzle-orm'
import type { SiteConfig } from '../contract/site'
import type { Db } from '../db/client'
import { Refused } from '../lib/refused'
import { site, socialPosts, tiers } from './site.table'

export type Site = typeof site.$inferSelect

/**
 * The artist's row.
 * @throws Refused `unavailable` while nobody has set the site up.
 */
export async function artist(db: Db): Promise<Site> {
  const [row] = await db.select().from(site).limit(1)
  return row ?? refuseEmpty()
}

/** The artist, the tiers and the social posts in one round trip, shaped for the public. */
export async function publicSite(db: Db): Promise<Pick<SiteConfig, 'artist' | 'tiers'>> {
  const [[row], posts, cards] = await db.batch([
    db.select().from(site).limit(1),
    db.select().from(socialPosts).orderBy(asc(socialPosts.position)),
    db.select().from(tiers).orderBy(asc(tiers.position)),
  ])
  const { name, tagline, city, hashtag, links, lyric, heroUrl, heroPortraitUrl, heroAlt } = row ?? refuseEmpty()
  return {
    artist: {
      name,
      tagline,
      city,
      hashtag,
      links,
      lyric,
      heroUrl,
      heroPortraitUrl,
      heroAlt,
      socialPosts: posts.map(({ title, url, imageUrl, imageAlt }) => ({ title, url, imageUrl, alt: imageAlt })),
    },
    tiers: cards.map(({ id, name, priceCents, features, popular }) => ({ id, name, priceCents, features, popular })),
  }
}

function refuseEmpty(): never {
  throw new Refused('unavailable', 'This site is not set up yet. Please come back soon.')
}
