import type { SiteConfig } from '../../worker/contract/site'
import { NO_LINKS } from '../../worker/testing/drafts'

/** A site configuration without links, tiers or optional features. */
export const buildSite = (changes: Partial<SiteConfig> = {}): SiteConfig => ({
  artist: {
    name: 'The Artist',
    tagline: 'Of the town',
    city: 'Tampa',
    timeZone: 'America/New_York',
    hashtag: '#verse',
    links: NO_LINKS,
    lyric: 'A hidden line.',
    socialPosts: [],
    heroUrl: '/media/a/hero.webp',
    heroPortraitUrl: '/media/a/hero-portrait.webp',
    heroAlt: 'A hero.',
  },
  tiers: [],
  appearance: null,
  demo: false,
  demoAdmin: null,
  payments: 'off',
  stripePublishableKey: null,
  subscriptions: false,
  currency: 'USD',
  google: false,
  turnstileSiteKey: null,
  ...changes,
})
