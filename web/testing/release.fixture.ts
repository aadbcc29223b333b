import type { Release, ReleaseTrack } from '../../worker/contract/releases'

export const buildReleaseTrack = (changes: Partial<ReleaseTrack> = {}): ReleaseTrack => ({
  id: 1,
  slug: 'first-light',
  position: 1,
  title: 'First Light',
  artist: 'Somebody',
  durationSeconds: 120,
  coverUrl: '/media/a/cover.webp',
  coverAlt: 'A sleeve.',
  isrc: '',
  lyrics: null,
  credits: [],
  isExclusive: false,
  hasAudio: true,
  plays: 0,
  likes: 0,
  spotifyUrl: '',
  releases: [{ slug: 'a-record', title: 'A Record', kind: 'album' }],
  ...changes,
})

/** An album of one track. */
export const buildRelease = (changes: Partial<Release> = {}): Release => ({
  slug: 'a-record',
  title: 'A Record',
  artist: 'Somebody',
  kind: 'album',
  coverUrl: '/media/a/cover.webp',
  coverAlt: 'A sleeve.',
  // Still July 1 in the artist's time zone.
  releasedAt: '2026-07-02T03:30:00.000Z',
  trackCount: 1,
  durationSeconds: 120,
  notes: '',
  credits: [],
  label: '',
  upc: '',
  isExplicit: false,
  tracks: [buildReleaseTrack()],
  ...changes,
})
