import { type Chord, voice } from './harmony.ts'
import { readGrid, readLine, STEPS, type Word } from './notation.ts'
import type { Note } from './note.ts'
import { between, type Rng } from './rng.ts'
import type { Clip, Part, Section } from './score.ts'
import type { Change, Placed, Timeline } from './timeline.ts'

/** Turns what a part has written for each section into notes in time. */
export function perform(name: string, part: Part, timeline: Timeline, loose: number, rng: Rng): Note[] {
  const voicings = voicingsOf(timeline.changes, part.centre ?? 62)
  const notes: Note[] = []
  for (const placed of timeline.placed) {
    const title = placed.section.play[name]
    if (title === undefined) continue
    const clip = part.clips[title]
    if (!clip) throw new Error(`${name} has no clip "${title}"`)
    if ('line' in clip) notes.push(...playLine(clip, part, placed, timeline))
    else if ('chords' in clip) notes.push(...playChords(clip, placed, timeline, voicings, loose, rng))
    else notes.push(...playArp(clip, placed, timeline, voicings))
  }
  return notes.sort((a, b) => a.time - b.time)
}

function voicingsOf(changes: readonly Change[], centre: number): Map<Change, number[]> {
  const voicings = new Map<Change, number[]>()
  let before: number[] = []
  for (const change of changes) {
    before = voice(change.chord, before, centre)
    voicings.set(change, before)
  }
  return voicings
}

/** The section's last step that bass and drums may reach. */
export function lastStep(section: Section, placed: Placed): number {
  return placed.start + placed.steps - (section.stop ?? 0)
}

function playLine(clip: Extract<Clip, { line: string }>, part: Part, placed: Placed, timeline: Timeline): Note[] {
  const line = readLine(clip.line)
  const isBass = line.words.some((word) => 'degree' in word.pitch)
  const end = isBass ? lastStep(placed.section, placed) : placed.start + placed.steps
  const notes: Note[] = []
  for (let origin = placed.start; origin < placed.start + placed.steps; origin += line.steps) {
    for (const word of line.words) {
      const step = origin + word.step
      if (step >= end) break
      const time = timeline.timeOf(step)
      const until = timeline.timeOf(Math.min(step + word.steps, end))
      const midi = midiFor(word, timeline, step, part.centre ?? 28) + (clip.up ?? 0)
      notes.push({
        time,
        length: until - time,
        midi,
        velocity: word.velocity,
        slide: word.slide,
        syllable: word.syllable,
      })
    }
  }
  return notes
}

/** Degrees: 1 to 7 of the chord, 8 the octave, 6 the fifth below, 9 a semitone under the next chord's bass. */
function midiFor(word: Word, timeline: Timeline, step: number, lowest: number): number {
  if ('midi' in word.pitch) return word.pitch.midi
  const { chord, step: from, steps } = timeline.chordAt(step)
  const root = lowest + ((((chord.bass - lowest) % 12) + 12) % 12)
  const { degree } = word.pitch
  if (degree === 9) {
    const next = timeline.chordAt(from + steps).chord
    return lowest - 1 + ((((next.bass - lowest) % 12) + 12) % 12)
  }
  return root + intervalOf(chord, degree)
}

function intervalOf(chord: Chord, degree: number): number {
  const find = (low: number, high: number, otherwise: number) =>
    chord.intervals.find((interval) => interval >= low && interval <= high) ?? otherwise
  if (degree === 3) return find(3, 5, 3)
  if (degree === 5) return find(6, 8, 7)
  if (degree === 6) return -5
  if (degree === 7) return find(10, 11, 10)
  return degree === 8 ? 12 : 0
}

function playChords(
  clip: Extract<Clip, { chords: string }>,
  placed: Placed,
  timeline: Timeline,
  voicings: Map<Change, number[]>,
  loose: number,
  rng: Rng,
): Note[] {
  const { strokes, steps } = readGrid(clip.chords)
  const strum = clip.strum ?? 0.012
  const notes: Note[] = []
  for (let origin = placed.start; origin < placed.start + placed.steps; origin += steps) {
    for (const stroke of strokes) {
      const step = origin + stroke.step
      if (step >= placed.start + placed.steps) break
      const voicing = voicings.get(timeline.chordAt(step)) ?? []
      const until = timeline.timeOf(Math.min(step + stroke.held, placed.start + placed.steps))
      for (const [i, midi] of voicing.entries()) {
        const time = Math.max(0, timeline.timeOf(step) + i * strum + between(rng, -loose, loose))
        const velocity = stroke.velocity * between(rng, 0.85, 1) * (i === voicing.length - 1 ? 1 : 0.88)
        notes.push({ time, length: Math.max(0.05, until - time), midi, velocity, slide: false, syllable: '' })
      }
    }
  }
  return notes
}

function playArp(
  clip: Extract<Clip, { arp: string }>,
  placed: Placed,
  timeline: Timeline,
  voicings: Map<Change, number[]>,
): Note[] {
  const cells = [...clip.arp.replace(/[\s|]/g, '')]
  const notes: Note[] = []
  for (let at = 0; at < placed.steps; at++) {
    const cell = cells[at % cells.length] ?? '.'
    if (!/\d/.test(cell)) continue
    let held = 1
    while (cells[(at + held) % cells.length] === '-' && at + held < placed.steps) held++
    const step = placed.start + at
    const voicing = voicings.get(timeline.chordAt(step)) ?? [60]
    const index = Number(cell)
    const midi = (voicing[index % voicing.length] ?? 60) + 12 * Math.floor(index / voicing.length) + (clip.up ?? 0)
    const time = timeline.timeOf(step)
    const velocity = at % (STEPS / 4) === 0 ? 0.85 : at % 2 === 0 ? 0.68 : 0.56
    notes.push({ time, length: timeline.timeOf(step + held) - time, midi, velocity, slide: false, syllable: '' })
  }
  return notes
}
