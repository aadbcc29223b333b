/**
 * The demo artist: every fact the seed writes and every picture and recording it needs.
 * Invented for this project; no real person, song, venue or brand stands here.
 */

/** The base folder of demo objects in R2; `/media/<key>` serves them. */
export const MEDIA = 'demo'

export const artist = {
  name: 'Tavi Solaire',
  tagline: "Tampa's Very Own",
  city: 'Tampa',
  hashtag: '#GoldOpenVerse',
  referralPrefix: 'TAVI',
  timeZone: 'America/New_York',
  lyric: 'Tide came in gold, so I walked home on the water.',
} as const

/** Track 1 is the featured single. `seed` and `mood` steer the synthesiser. */
export const tracks = [
  {
    id: 1,
    slug: 'gilt-tide',
    title: 'Gilt Tide',
    album: '',
    bpm: 92,
    key: 'F minor',
    mood: 'night-drive',
    plays: 50_012,
    likes: 20_008,
    isTrending: true,
    isExclusive: false,
  },
  {
    id: 2,
    slug: 'skyway-at-dusk',
    title: 'Skyway at Dusk',
    album: 'Causeway Season',
    bpm: 84,
    key: 'A minor',
    mood: 'laid-back',
    plays: 812_608,
    likes: 12_884,
    isTrending: false,
    isExclusive: false,
  },
  {
    id: 3,
    slug: 'seventh-avenue-slow',
    title: 'Seventh Avenue Slow',
    album: 'Causeway Season',
    bpm: 76,
    key: 'D minor',
    mood: 'slow-jam',
    plays: 641_133,
    likes: 11_207,
    isTrending: false,
    isExclusive: false,
  },
  {
    id: 4,
    slug: 'palm-reader',
    title: 'Palm Reader',
    album: 'Causeway Season',
    bpm: 100,
    key: 'G minor',
    mood: 'bounce',
    plays: 498_720,
    likes: 9_640,
    isTrending: false,
    isExclusive: false,
  },
  {
    id: 5,
    slug: 'low-country-lightning',
    title: 'Low Country Lightning',
    album: 'Causeway Season',
    bpm: 140,
    key: 'C minor',
    mood: 'trap',
    plays: 376_918,
    likes: 8_315,
    isTrending: false,
    isExclusive: false,
  },
  {
    id: 6,
    slug: 'harbor-lights-demo',
    title: 'Harbor Lights (Vault Demo)',
    album: 'The Vault',
    bpm: 70,
    key: 'E minor',
    mood: 'late-night',
    plays: 164_501,
    likes: 5_122,
    isTrending: false,
    isExclusive: true,
  },
] as const
