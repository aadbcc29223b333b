import type { KitPatch } from './kit.ts'
import type { Instrument } from './note.ts'
import type { RoomPatch } from './reverb.ts'

/** A channel's place in the record. Gains in decibels, corners in hertz, everything else from 0 to 1. */
export interface Mix {
  gain: number
  pan?: number
  highpass?: number
  lowpass?: number
  room?: number
  echo?: number
  /** How far the kick pushes this channel down. */
  duck?: number
  /** Comes back within a tenth of a second (basses) instead of breathing with the beat (pads). */
  quick?: boolean
  chorus?: number
  tremolo?: number
}

/**
 * What a part plays while a section lasts; it repeats until the section ends.
 * `line` is a written melody or bass line, `chords` a grid of whole chords (`strum` seconds between their notes),
 * `arp` a grid whose digits pick a note of the sounding chord, lowest first.
 */
export type Clip = { line: string; up?: number } | { chords: string; strum?: number } | { arp: string; up?: number }

/** One player. `centre` is the MIDI number around which it voices chords; for degrees, the lowest root it takes. */
export interface Part {
  instrument: Instrument
  centre?: number
  mix: Mix
  clips: Record<string, Clip>
}

/** A groove: a grid for every drum that plays. */
export type Groove = Readonly<Record<string, string>>

/** A stretch of the song; the names point into the song's own tables. */
export interface Section {
  name: string
  bars: number
  chords: string
  groove?: string
  /** The groove of the last bar. */
  fill?: string
  play: Readonly<Record<string, string>>
  /** Bars of rising noise before the end. */
  riser?: number
  /** A crash, a boom and a wave on the first beat. */
  impact?: boolean
  /** Steps of silence in drums and bass before the next section. */
  stop?: number
  /** The whole band through a low-pass that moves from the first to the second corner (hertz). */
  tone?: readonly [number, number]
  /** Decibels against the hooks. */
  level?: number
}

export interface Score {
  /** How late every second sixteenth is, as a share of one (0 straight, 0.33 triplets). */
  swing: number
  /** Seconds by which snares drag, and by which hats and ghosts wander. */
  drag: number
  loose: number
  kit: KitPatch
  grooves: Record<string, Groove>
  parts: Record<string, Part>
  /** Chords, bars parted by `|`, chords within a bar sharing it equally. */
  progressions: Record<string, string>
  sections: readonly Section[]
  room: RoomPatch
  echo: { steps: number; feedback: number }
  surface: { crackle: number; hiss: number }
  /** Seconds by which a worn tape sways; 0 for none. */
  tape: number
}

/** A score with the facts of its track. */
export interface Song extends Score {
  slug: string
  bpm: number
  key: string
}
