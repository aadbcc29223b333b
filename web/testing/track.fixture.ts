import type { Track } from '../../worker/contract/tracks'
import type { QueueTrack } from '../player/playback-store'

export const buildTrack = (changes: Partial<Track> = {}): Track => ({
  id: 1,
  slug: 'first-light',
  releaseSlug: 'first-light',
  title: 'First Light',
  artist: 'Somebody',
  album: '',
  duration: 120,
  plays: 50_214,
  likes: 20_031,
  coverUrl: '/media/a/cover.webp',
  coverAlt: 'A sleeve.',
  spotifyUrl: '',
  isTrending: false,
  isExclusive: false,
  hasAudio: true,
  liked: false,
  ...changes,
})

export const buildQueueTrack = (changes: Partial<QueueTrack> = {}): QueueTrack => ({
  id: 1,
  title: 'First Light',
  artist: 'Somebody',
  album: '',
  coverUrl: '/media/a/cover.webp',
  coverAlt: 'A sleeve.',
  durationSeconds: 120,
  href: null,
  isExclusive: false,
  hasAudio: true,
  ...changes,
})
