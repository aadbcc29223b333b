import * as z from 'zod/mini'
import { Appearance } from './appearance'
import { get, visitor } from './endpoint'
import { href } from './fields'

export const TIERS = ['bronze', 'silver', 'gold'] as const
export type TierId = (typeof TIERS)[number]
export const TIER_LABELS: Readonly<Record<TierId, string>> = { bronze: 'Bronze', silver: 'Silver', gold: 'Gold' }

/** Addresses of the artist's profiles; empty without one. */
export const ArtistLinks = z.object({
  instagram: href,
  tiktok: href,
  youtube: href,
  spotify: href,
  appleMusic: href,
  youtubeMusic: href,
  broadcast: href,
  contact: href,
})
export type ArtistLinks = z.infer<typeof ArtistLinks>

export const TierCard = z.object({
  id: z.enum(TIERS),
  name: z.string(),
  /** Integer cents per month. */
  priceCents: z.int(),
  features: z.array(z.string()),
  /** Shows 'Most Popular'. */
  popular: z.boolean(),
})
export type TierCard = z.infer<typeof TierCard>

/** Public configuration of the artist and this deployment. */
export const SiteConfig = z.object({
  artist: z.object({
    name: z.string(),
    tagline: z.string(),
    city: z.string(),
    /** IANA name; release days follow it. */
    timeZone: z.string(),
    hashtag: z.string(),
    links: ArtistLinks,
    /** A line of lyrics hidden in the footer; may be empty. */
    lyric: z.string(),
    socialPosts: z.array(z.object({ title: z.string(), url: href, imageUrl: href, alt: z.string() })),
    heroUrl: href,
    /** For tall, narrow screens. */
    heroPortraitUrl: href,
    heroAlt: z.string(),
  }),
  /** ISO 4217 code of all prices. */
  currency: z.string(),
  tiers: z.array(TierCard),
  /** Null before the team changes anything. */
  appearance: z.nullable(Appearance),
  demo: z.boolean(),
  /** Login of the demo's administrator; null in production. */
  demoAdmin: z.nullable(z.object({ username: z.string(), password: z.string() })),
  payments: z.enum(['stripe', 'test', 'off']),
  stripePublishableKey: z.nullable(z.string()),
  subscriptions: z.boolean(),
  google: z.boolean(),
  /** Public key of the Turnstile widget; null while it is off. */
  turnstileSiteKey: z.nullable(z.string()),
})
export type SiteConfig = z.infer<typeof SiteConfig>

export const siteApi = {
  config: get('/api/config', SiteConfig, visitor),
  sitemap: get('/sitemap.xml', null, visitor),
  feed: get('/feed.xml', null, { ...visitor, description: 'Releases and upcoming shows (Atom).' }),
  podcast: get('/podcast.xml', null, {
    ...visitor,
    description: 'Tracks that anyone may play (RSS with the `music` medium of Podcasting 2.0).',
  }),
  robots: get('/robots.txt', null, visitor),
  securityTxt: get('/.well-known/security.txt', null, visitor),
  favicon: get('/favicon.ico', null, { ...visitor, status: 302 }),
  touchIcon: get('/apple-touch-icon.png', null, { ...visitor, status: 302 }),
  manifest: get('/manifest.webmanifest', null, visitor),
  health: get('/healthz', z.object({ ok: z.boolean(), d1: z.boolean(), kv: z.boolean(), r2: z.boolean() }), {
    ...visitor,
    description: 'Checks D1, KV and R2.',
  }),
  media: get('/media/:folder/:name', null, {
    ...visitor,
    description: 'An image from R2, or one of its variants.',
  }),
}
