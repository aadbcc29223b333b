import { tracks } from '../artist.ts'
import type { Score, Song } from './score.ts'
import { giltTide } from './songs/gilt-tide.ts'
import { harborLightsDemo } from './songs/harbor-lights-demo.ts'
import { lowCountryLightning } from './songs/low-country-lightning.ts'
import { palmReader } from './songs/palm-reader.ts'
import { seventhAvenueSlow } from './songs/seventh-avenue-slow.ts'
import { skywayAtDusk } from './songs/skyway-at-dusk.ts'

const SCORES: Record<(typeof tracks)[number]['slug'], Score> = {
  'gilt-tide': giltTide,
  'skyway-at-dusk': skywayAtDusk,
  'seventh-avenue-slow': seventhAvenueSlow,
  'palm-reader': palmReader,
  'low-country-lightning': lowCountryLightning,
  'harbor-lights-demo': harborLightsDemo,
}

/** Every song of the demo artist: what was written for it, with its track's tempo and key. */
export const songs: readonly Song[] = tracks.map(({ slug, bpm, key }) => ({ ...SCORES[slug], slug, bpm, key }))

/** Throws when no track has the slug. */
export function songFor(slug: string): Song {
  const song = songs.find((candidate) => candidate.slug === slug)
  if (!song) throw new Error(`no song is called "${slug}"`)
  return song
}
