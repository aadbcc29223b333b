import { asc, isNull } from 'drizzle-orm'
import type { Config } from '../config'
import type { SiteConfig } from '../contract/site'
import type { Db } from '../db/client'
import { Refused } from '../lib/refused'
import { site, socialPosts, tiers } from './site.table'

export type Site = typeof site.$inferSelect

/** The query for the artist's row, to be run alone or in a batch; `theArtist` reads its answer. */
export const artistRows = (db: Db) => db.select().from(site).limit(1)

/**
 * The artist, of the rows that `artistRows` gave.
 * @throws Refused `unavailable` while nobody has set the site up.
 */
export function theArtist([row]: readonly Site[]): Site {
  if (!row) throw new Refused('unavailable', 'This site is not set up yet. Please come back soon.')
  return row
}

/**
 * The artist's row.
 * @throws Refused `unavailable` while nobody has set the site up.
 */
export const artist = async (db: Db): Promise<Site> => theArtist(await artistRows(db))

/** The artist, the tiers and the social posts in one round trip, shaped for the public. */
export async function publicSite(db: Db): Promise<Pick<SiteConfig, 'artist' | 'tiers'>> {
  const [rows, posts, cards] = await db.batch([
    artistRows(db),
    db
      .select()
      .from(socialPosts)
      .where(isNull(socialPosts.removedAt))
      .orderBy(asc(socialPosts.position), asc(socialPosts.id)),
    db.select().from(tiers).orderBy(asc(tiers.position)),
  ])
  const { name, tagline, city, hashtag, links, lyric, heroUrl, heroPortraitUrl, heroAlt } = theArtist(rows)
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

/** The whole public configuration: the artist, the tiers and what this deployment can do. */
export async function siteConfig(
  db: Db,
  { demo, demoAdmin, google, payments, subscriptions }: Config,
): Promise<SiteConfig> {
  return {
    ...(await publicSite(db)),
    demo,
    demoAdmin,
    payments: payments.provider,
    stripePublishableKey: payments.provider === 'stripe' ? payments.publishableKey : null,
    subscriptions: subscriptions?.selling === true,
    google: google !== null,
  }
}
