/** Values of the form of a new track. */
export const TRACK_VALUES = {
  title: 'Two',
  artist: 'Any Artist',
  slug: 'two',
  isrc: '',
  lyrics: '',
  credits: [],
  durationSeconds: 60,
  coverUrl: '/media/any/cover.webp',
  coverAlt: 'A cover.',
  spotifyUrl: '',
  isTrending: false,
  isExclusive: false,
  position: 1,
  audio: null as string | null,
}

/** A track in a list of the dashboard. */
export const buildAdminTrack = (changes: Partial<typeof TRACK_VALUES> & { id: string }) => ({
  ...TRACK_VALUES,
  album: '',
  plays: 0,
  isReleased: false,
  version: 1,
  ...changes,
})
