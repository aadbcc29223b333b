import { type Chord, chordOf } from './harmony.ts'
import { STEPS } from './notation.ts'
import type { Section, Song } from './score.ts'

/** A chord and the steps (from the song's beginning) it sounds for. */
export interface Change {
  step: number
  steps: number
  chord: Chord
}

/** A section with the step at which it begins. */
export interface Placed {
  section: Section
  start: number
  steps: number
}

/** Where everything stands: steps are sixteenths from the song's beginning, before swing. */
export interface Timeline {
  placed: Placed[]
  changes: Change[]
  steps: number
  /** The second at which a step falls, swung. */
  timeOf(step: number): number
  chordAt(step: number): Change
}

export function timelineOf(song: Song): Timeline {
  const placed: Placed[] = []
  const changes: Change[] = []
  let steps = 0
  for (const section of song.sections) {
    const length = section.bars * STEPS
    placed.push({ section, start: steps, steps: length })
    changes.push(...changesOf(song, section, steps))
    steps += length
  }
  const second = 15 / song.bpm
  const timeOf = (step: number) => {
    const pair = Math.floor(step / 2) * 2
    const within = step - pair
    const swung = within < 1 ? within * (1 + song.swing) : 1 + song.swing + (within - 1) * (1 - song.swing)
    return (pair + swung) * second
  }
  const chordAt = (step: number) => {
    const found = changes.findLast((change) => change.step <= step + 0.01) ?? changes[0]
    if (!found) throw new Error('a song needs at least one chord')
    return found
  }
  return { placed, changes, steps, timeOf, chordAt }
}

function changesOf(song: Song, section: Section, start: number): Change[] {
  const written = song.progressions[section.chords]
  if (!written) throw new Error(`${song.slug} has no progression "${section.chords}"`)
  const bars = written.split('|').map((bar) => bar.trim().split(/\s+/))
  return Array.from({ length: section.bars }, (_, bar) => {
    const symbols = bars[bar % bars.length] ?? []
    const share = STEPS / symbols.length
    return symbols.map((symbol, i) => ({ step: start + bar * STEPS + i * share, steps: share, chord: chordOf(symbol) }))
  }).flat()
}
