import type { ChallengeDraft } from '../contract/admin-challenge'
import type {
  ConcertDraft,
  ProductDraft,
  ReleaseDraft,
  SiteDraft,
  SocialPostDraft,
  TierDraft,
  TrackDraft,
} from '../contract/admin-content'
import type { MissionDraft } from '../contract/admin-missions'
import type { OfficialPollDraft } from '../contract/admin-polls'
import type { AppearanceDraft } from '../contract/appearance'
import type { DiscountDraft } from '../contract/discounts'
import { HOME_SECTIONS } from '../contract/home-sections'

// Valid bodies of the admin forms. Tests spread them and change single fields.

const IMAGE_URL = '/media/any/hero.webp'
export const TRACK_DRAFT: TrackDraft = {
  title: 'A Song',
  artist: 'Any Artist',
  album: '',
  durationSeconds: 180,
  coverUrl: IMAGE_URL,
  coverAlt: 'A cover.',
  spotifyUrl: '',
  isTrending: true,
  isExclusive: false,
  position: 1,
  audio: null,
}
export const RELEASE_DRAFT: ReleaseDraft = {
  title: 'A Record',
  artist: 'Any Artist',
  kind: 'album',
  coverUrl: IMAGE_URL,
  coverAlt: 'A cover.',
  releasedAt: '2026-06-01T00:00:00.000Z',
  isAnnounced: false,
  notes: '',
  credits: [],
  label: '',
  upc: '',
  isExplicit: false,
  trackIds: [1],
}
export const PRODUCT_DRAFT: ProductDraft = {
  name: 'Clip',
  description: 'A clip.',
  priceCents: 1999,
  stock: 3,
  checkoutUrl: '',
  isFeatured: false,
  position: 1,
  images: [{ url: IMAGE_URL, alt: 'A clip.' }],
}
export const CONCERT_DRAFT: ConcertDraft = {
  date: '2026-07-02',
  startTime: '20:00',
  endTime: '01:00',
  timeZone: 'America/New_York',
  city: 'Any City',
  venue: 'Any Hall',
  address: '1 Any Street',
  priceCents: 2500,
  ticketsAvailable: null,
  isSoldOut: false,
  hasVip: false,
  imageUrl: IMAGE_URL,
  imageAlt: 'A hall.',
}
export const NO_LINKS: SiteDraft['links'] = {
  instagram: '',
  tiktok: '',
  youtube: '',
  spotify: '',
  appleMusic: '',
  youtubeMusic: '',
  broadcast: '',
  contact: '',
}
export const SITE_DRAFT: SiteDraft = {
  name: 'Any Artist',
  tagline: 'Of Any City',
  city: 'Any City',
  hashtag: '#any',
  description: 'Any Artist plays any music.',
  lyric: '',
  referralPrefix: 'ANY',
  timeZone: 'America/New_York',
  links: NO_LINKS,
  heroUrl: IMAGE_URL,
  heroPortraitUrl: IMAGE_URL,
  heroAlt: 'A stage.',
  shareImageUrl: IMAGE_URL,
  iconUrl: IMAGE_URL,
  maskableIconUrl: IMAGE_URL,
}
export const APPEARANCE_DRAFT: AppearanceDraft = {
  accent: null,
  sections: HOME_SECTIONS.map(({ id }) => ({ id, isVisible: true })),
  labels: { music: '', merch: '', concerts: '', exclusive: '', 'smart-features': '' },
  version: 0,
}
export const TIER_DRAFT: TierDraft = { name: 'Silver', priceCents: 1500, features: ['A vote.'], popular: true }
export const SOCIAL_POST_DRAFT: SocialPostDraft = {
  title: 'Seen elsewhere',
  url: 'https://social.example/1',
  imageUrl: IMAGE_URL,
  imageAlt: 'A studio.',
  position: 1,
}
export const CHALLENGE_DRAFT: ChallengeDraft = {
  title: 'A later challenge',
  prize: '$500',
  submissionsFrom: '2026-07-02',
  submissionsUntil: '2026-07-16',
  finalistsOn: '2026-07-17',
  votingFrom: '2026-07-17',
  votingUntil: '2026-07-20',
  winnerOn: '2026-07-20',
  closedOn: '2026-07-25',
  rules: 'Be kind.',
  beat: null,
}
export const MISSION_DRAFT: MissionDraft = {
  title: 'Vote three times',
  description: 'Vote in three polls within a week.',
  points: 30,
  action: 'poll_vote',
  target: 3,
  withinDays: 7,
  isStreak: false,
  position: 1,
}
export const POLL_DRAFT: OfficialPollDraft = {
  title: 'Which song first?',
  description: '',
  options: ['The new one', 'The old one'],
  lastDay: '2026-07-05',
}
export const DISCOUNT_DRAFT: DiscountDraft = {
  code: 'TEN',
  kind: 'percent',
  percent: 10,
  amountCents: null,
  minimumCents: 0,
  productIds: [],
  tier: null,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerPerson: null,
}
