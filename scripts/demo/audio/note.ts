import type { Rng } from './rng.ts'
import type { Stereo } from './stereo.ts'

/** A note to be played: seconds from the song's beginning, velocity 0 to 1. */
export interface Note {
  time: number
  length: number
  midi: number
  velocity: number
  /** Slides from the note before instead of striking anew. */
  slide: boolean
  /** What a voice sings on it: an optional consonant and one or two vowels, `t` + `ai`. */
  syllable: string
}

/** Plays notes, in the order of their times, by adding sound to a channel. */
export type Instrument = (out: Stereo, notes: readonly Note[], rng: Rng) => void
