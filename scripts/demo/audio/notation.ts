import { midiOf } from './harmony.ts'

/** Sixteenths in a bar; every song here is in four. */
export const STEPS = 16

/**
 * One word of a written line: `pitch/steps` and, for a voice, `:syllable`.
 * The pitch is a name (`Eb4`), a degree of the sounding chord (`1 3 5 7 9`, `8` the octave; bass clips) or `r` for rest.
 * A leading `~` slides from the note before; a trailing `!` accents, `?` whispers.
 */
export interface Word {
  step: number
  steps: number
  pitch: { midi: number } | { degree: number }
  velocity: number
  slide: boolean
  syllable: string
}

/** A line and its whole length in steps, so that it can repeat. */
export interface Line {
  words: Word[]
  steps: number
}

/** Reads a line; bars may be parted by `|`, which is only for the eye. Throws on a word it cannot read. */
export function readLine(text: string): Line {
  const words: Word[] = []
  let step = 0
  for (const word of text.split(/[\s|]+/).filter(Boolean)) {
    const match = /^(~?)(r|[1-9]|[A-G][b#]?\d)\/(\d+(?:\.\d+)?)([!?]?)(?::([a-z]+))?$/.exec(word)
    if (!match) throw new Error(`cannot read "${word}" in a line`)
    const [, slide, pitch = 'r', length, accent, syllable = ''] = match
    const steps = Number(length)
    if (pitch !== 'r') {
      words.push({
        step,
        steps,
        pitch: /^\d$/.test(pitch) ? { degree: Number(pitch) } : { midi: midiOf(pitch) },
        velocity: accent === '!' ? 1 : accent === '?' ? 0.5 : 0.78,
        slide: slide === '~',
        syllable,
      })
    }
    step += steps
  }
  return { words, steps: step }
}

/** A stroke in a grid: where, how hard (0 to 1), for how many steps it is held. */
export interface Stroke {
  step: number
  velocity: number
  held: number
}

const STRENGTHS: Record<string, number> = { X: 1, x: 0.8, o: 0.55, g: 0.3 }
const ROLLS: Record<string, number> = { '2': 2, '3': 3, '4': 4, '6': 6 }

/**
 * Reads a grid of one character a sixteenth: `X x o g` from accent to ghost, `2 3 4 6` that many strokes within
 * the step, `-` holds the stroke before, `.` rests. Spaces and `|` are only for the eye.
 */
export function readGrid(text: string): { strokes: Stroke[]; steps: number } {
  const cells = text.replace(/[\s|]/g, '')
  const strokes: Stroke[] = []
  for (const [step, cell] of [...cells].entries()) {
    const strength = STRENGTHS[cell]
    const roll = ROLLS[cell]
    if (strength !== undefined) strokes.push({ step, velocity: strength, held: 1 })
    else if (roll !== undefined) {
      for (let i = 0; i < roll; i++) {
        strokes.push({ step: step + i / roll, velocity: 0.45 + (0.3 * i) / roll, held: 1 / roll })
      }
    } else if (cell === '-') {
      const last = strokes.at(-1)
      if (last) last.held += 1
    } else if (cell !== '.') throw new Error(`cannot read "${cell}" in a grid`)
  }
  return { strokes, steps: cells.length }
}
