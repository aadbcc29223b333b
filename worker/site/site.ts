import { asc, isNull, sql } from 'drizzle-orm'
import type { SiteConfig } from '../contract/site'
import type { Db } from '../db/client'
import type { Config } from '../env'
import { AppError } from '../lib/app-error'
import { site, socialPosts, tiers } from './site.table'

export type Site = typeof site.$inferSelect

export const siteQuery = (db: Db) => db.select().from(site).limit(1)

/** @throws AppError `unavailable` until the site is set up. */
export function requireSite([row]: readonly Site[]): Site {
  if (!row) throw new AppError('unavailable', 'This site is not set up yet. Please try again later.')
  return row
}

/** The site's name for emails, as a column of any query. */
export const siteNameColumn = sql<string>`coalesce((SELECT name FROM site), 'This site')`

/** @throws AppError `unavailable` until the site is set up. */
export const readSite = async (db: Db): Promise<Site> => requireSite(await siteQuery(db))

/** The artist's name, for emails. */
export const readSiteName = async (db: Db): Promise<string> => (await siteQuery(db))[0]?.name ?? 'This site'

/** Artist, tiers and social posts, in one round trip. */
async function readPublicSite(db: Db): Promise<Pick<SiteConfig, 'artist' | 'tiers' | 'currency'>> {
  const [rows, posts, tierRows] = await db.batch([
    siteQuery(db),
    db
      .select()
      .from(socialPosts)
      .where(isNull(socialPosts.removedAt))
      .orderBy(asc(socialPosts.position), asc(socialPosts.id)),
    db.select().from(tiers).orderBy(asc(tiers.position)),
  ])
  const { name, tagline, city, timeZone, hashtag, links, lyric, heroUrl, heroPortraitUrl, heroAlt, currency } =
    requireSite(rows)
  return {
    artist: {
      name,
      tagline,
      city,
      timeZone,
      hashtag,
      links,
      lyric,
      heroUrl,
      heroPortraitUrl,
      heroAlt,
      socialPosts: posts.map(({ title, url, imageUrl, imageAlt }) => ({ title, url, imageUrl, alt: imageAlt })),
    },
    currency,
    tiers: tierRows.map(({ id, name, priceCents, features, popular }) => ({ id, name, priceCents, features, popular })),
  }
}

/** The public configuration: artist, tiers and enabled features. */
export async function readSiteConfig(
  db: Db,
  { demo, demoAdmin, google, payments, subscriptions, turnstile }: Config,
): Promise<SiteConfig> {
  return {
    ...(await readPublicSite(db)),
    demo,
    demoAdmin,
    payments: payments.provider,
    stripePublishableKey: payments.provider === 'stripe' ? payments.publishableKey : null,
    subscriptions: subscriptions?.selling === true,
    google: google !== null,
    turnstileSiteKey: turnstile?.siteKey ?? null,
  }
}
