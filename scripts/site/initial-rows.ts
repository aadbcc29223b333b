import { insertStatement } from '../tools/sql.ts'
import { defaultImageUrl } from './default-images.ts'
import type { SiteDetails } from './site-details.ts'

const NO_LINKS = Object.fromEntries(
  ['instagram', 'tiktok', 'youtube', 'spotify', 'appleMusic', 'youtubeMusic', 'broadcast', 'contact'].map((name) => [
    name,
    '',
  ]),
)
const TIERS = [
  {
    id: 'bronze',
    name: 'Bronze',
    price_cents: 0,
    features: ['Every public track, streamed here', 'A vote in every poll', 'Supporter points and missions'],
    popular: 0,
  },
  {
    id: 'silver',
    name: 'Silver',
    price_cents: 1500,
    features: ['Everything in Bronze', 'Tracks for supporters alone', 'Posts written for supporters'],
    popular: 1,
  },
  {
    id: 'gold',
    name: 'Gold',
    price_cents: 3500,
    features: ['Everything in Silver', 'Posts for Gold alone'],
    popular: 0,
  },
]

/** SQL that inserts a new site's first rows; as text, because `wrangler d1 execute` takes no parameters. */
export function initialStatements(details: SiteDetails, now: number): string[] {
  const site = {
    id: 1,
    name: details.name,
    tagline: details.tagline,
    city: details.city,
    hashtag: details.hashtag,
    description: details.description,
    lyric: '',
    referral_prefix: details.prefix,
    time_zone: details.timeZone,
    links: JSON.stringify(NO_LINKS),
    hero_url: defaultImageUrl('hero'),
    hero_portrait_url: defaultImageUrl('hero-portrait'),
    hero_alt: 'A golden disc on a dark background.',
    share_image_url: defaultImageUrl('share'),
    icon_url: defaultImageUrl('icon'),
    maskable_icon_url: defaultImageUrl('icon-maskable'),
    updated_at: now,
  }
  return [
    ...TIERS.map((tier, index) =>
      insertStatement('tiers', { ...tier, features: JSON.stringify(tier.features), position: index + 1 }),
    ),
    // This row is last because a row in `site` means that the site is set up.
    insertStatement('site', site),
  ]
}
