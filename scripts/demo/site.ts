import { artist, MEDIA } from './artist.ts'
import type { AltTexts } from './catalogue.ts'
import { insertRows } from './insert.ts'

const media = (file: string) => `/media/${MEDIA}/${file}`

/** Services' own front pages: the artist is invented, so no address of theirs exists anywhere. */
const links = {
  instagram: 'https://www.instagram.com/',
  tiktok: 'https://www.tiktok.com/',
  youtube: 'https://www.youtube.com/',
  spotify: 'https://open.spotify.com/',
  appleMusic: 'https://music.apple.com/',
  youtubeMusic: 'https://music.youtube.com/',
  broadcast: 'https://www.instagram.com/',
  contact: 'https://www.instagram.com/',
}

const tiers = [
  [
    'bronze',
    'Bronze',
    0,
    [
      'The single and the album, streamed here',
      'A vote in every poll',
      'Supporter points and missions',
      'Door check-in at every show',
    ],
    0,
  ],
  [
    'silver',
    'Silver',
    1500,
    [
      'Everything in Bronze',
      'The vault: demos and unreleased takes',
      'Posts written for supporters',
      'New merch a day before the others',
    ],
    1,
  ],
  [
    'gold',
    'Gold',
    3500,
    [
      'Everything in Silver',
      'Stems and studio sessions',
      'A seat on the soundcheck list',
      'Your name in the next liner notes',
    ],
    0,
  ],
] as const

/** The artist's row, the tiers and the social posts. What an administrator has changed since stays as it is. */
export async function seedSite(db: D1Database, now: number, alts: AltTexts): Promise<void> {
  const values = {
    id: 1,
    name: artist.name,
    tagline: artist.tagline,
    city: artist.city,
    hashtag: artist.hashtag,
    description: `${artist.name} is a rapper and singer from ${artist.city}. Stream the latest single, find the next show, vote with the supporters and pick up the drop.`,
    lyric: artist.lyric,
    referral_prefix: artist.referralPrefix,
    time_zone: artist.timeZone,
    links: JSON.stringify(links),
    hero_url: media('hero.webp'),
    hero_portrait_url: media('hero-portrait.webp'),
    hero_alt: alts.get('hero') ?? '',
    share_image_url: media('og.png'),
    icon_url: media('icon.png'),
    maskable_icon_url: media('icon-maskable.png'),
    updated_at: now,
  }
  await insertRows(db, 'site', Object.keys(values), [Object.values(values)])
  await insertRows(
    db,
    'tiers',
    ['id', 'name', 'price_cents', 'features', 'popular', 'position'],
    tiers.map(([id, name, cents, features, popular], i) => [id, name, cents, JSON.stringify(features), popular, i + 1]),
  )
  await insertRows(
    db,
    'social_posts',
    ['id', 'title', 'url', 'image_url', 'image_alt', 'position'],
    [
      [
        'post-1',
        'Two-inch tape, one take: how the single was cut',
        links.instagram,
        media('post-1.webp'),
        alts.get('post-1') ?? '',
        1,
      ],
      [
        'post-2',
        'Every hand up at the Bayfront Shell',
        links.tiktok,
        media('post-2.webp'),
        alts.get('post-2') ?? '',
        2,
      ],
    ],
  )
}
