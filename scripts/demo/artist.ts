import { insertRows } from '../tools/sql.ts'
import artistData from './data/artist.json' with { type: 'json' }
import catalog from './data/catalog.json' with { type: 'json' }
import { altText, imageUrl } from './media.ts'

export { DEMO_PREFIX } from './media.ts'

/** A fictional artist; everything in this folder was made for this project. */
export const { artist } = artistData
export const { tracks } = catalog

export async function seedTiers(db: D1Database): Promise<void> {
  await insertRows(
    db,
    'tiers',
    artistData.tiers.map((tier, index) => ({ ...tier, features: JSON.stringify(tier.features), position: index + 1 })),
  )
}

export async function seedSocialPosts(db: D1Database): Promise<void> {
  await insertRows(
    db,
    'social_posts',
    artistData.socialPosts.map(({ id, title, network, image }, index) => ({
      id,
      title,
      url: artistData.links[network as keyof typeof artistData.links],
      image_url: imageUrl(image),
      image_alt: altText(image),
      position: index + 1,
    })),
  )
}

export async function seedSite(db: D1Database, now: number): Promise<void> {
  const { name, tagline, city, hashtag, lyric, referralPrefix, timeZone } = artist
  await insertRows(db, 'site', [
    {
      id: 1,
      name,
      tagline,
      city,
      hashtag,
      description: `${name} is a rapper and singer from ${city}. Stream the latest single, find the next show, vote with the supporters and pick up the drop.`,
      lyric,
      referral_prefix: referralPrefix,
      time_zone: timeZone,
      links: JSON.stringify(artistData.links),
      hero_url: imageUrl('hero'),
      hero_portrait_url: imageUrl('hero-portrait'),
      hero_alt: altText('hero'),
      share_image_url: imageUrl('og'),
      icon_url: imageUrl('icon'),
      maskable_icon_url: imageUrl('icon-maskable'),
      updated_at: now,
    },
  ])
}
