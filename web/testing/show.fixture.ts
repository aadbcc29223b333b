import type { Concert } from '../../worker/contract/concerts'

export const buildShow = (changes: Partial<Concert> = {}): Concert => ({
  id: 'quay',
  slug: 'quay',
  date: '2026-11-28',
  city: 'Tampa',
  venue: 'The Quay',
  address: '1 Dock Street, Tampa, FL',
  startTime: '20:00',
  endTime: '23:00',
  timeZone: 'America/New_York',
  startsAt: '2026-11-29T01:00:00Z',
  endsAt: '2026-11-29T04:00:00Z',
  price: '0.00',
  ticketsAvailable: 100,
  isSoldOut: false,
  hasVip: false,
  imageUrl: '/media/a/b.webp',
  imageAlt: 'A quay.',
  ...changes,
})
