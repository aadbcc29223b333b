/** Names of notes and chords, and how one chord moves to the next. MIDI numbers, middle C = C4 = 60. */

const LETTERS: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 }

/** The pitch class (0 = C) of a name such as `Ab` or `F#`. Throws on anything else. */
export function pitchClass(name: string): number {
  const letter = LETTERS[name[0] ?? '']
  const bend = { '': 0, b: -1, '#': 1 }[name.slice(1)]
  if (letter === undefined || bend === undefined) throw new Error(`no note is called "${name}"`)
  return (letter + bend + 12) % 12
}

/** The MIDI number of a name such as `Eb4`. */
export function midiOf(name: string): number {
  const [, note = '', octave = ''] = /^([A-G][b#]?)(-?\d)$/.exec(name) ?? []
  // B#3 and Cb4 do not occur in our songs, so the octave of the class is the octave of the name.
  return pitchClass(note) + 12 * (Number(octave) + 1)
}

/** Equal temperament on A4 = 440 Hz. */
export function hertzOf(midi: number): number {
  return 440 * 2 ** ((midi - 69) / 12)
}

const QUALITIES: Record<string, readonly number[]> = {
  '': [0, 4, 7],
  m: [0, 3, 7],
  m7: [0, 3, 7, 10],
  m9: [0, 3, 7, 10, 14],
  m11: [0, 3, 10, 14, 17],
  m6: [0, 3, 7, 9],
  '6': [0, 4, 7, 9],
  maj7: [0, 4, 7, 11],
  maj9: [0, 4, 7, 11, 14],
  add9: [0, 4, 7, 14],
  '7': [0, 4, 7, 10],
  '9': [0, 4, 7, 10, 14],
  '7b9': [0, 4, 7, 10, 13],
  '7#9': [0, 4, 7, 10, 15],
  '7#5': [0, 4, 8, 10],
  '9sus': [0, 5, 7, 10, 14],
  m7b5: [0, 3, 6, 10],
}

/** A chord: the bass note's pitch class and the intervals in semitones above the root. */
export interface Chord {
  symbol: string
  root: number
  bass: number
  intervals: readonly number[]
}

/** Reads `Fm9`, `Dbmaj9` or `Ab/C`. */
export function chordOf(symbol: string): Chord {
  const [, root = '', quality = '', bass] = /^([A-G][b#]?)([^/]*)(?:\/([A-G][b#]?))?$/.exec(symbol) ?? []
  const intervals = QUALITIES[quality]
  if (!intervals) throw new Error(`no chord is called "${symbol}"`)
  return { symbol, root: pitchClass(root), bass: pitchClass(bass ?? root), intervals }
}

/**
 * Places a chord around `centre` so that each voice moves as little as possible from `before`.
 * Chords of five notes leave their root to the bass. Ascending MIDI numbers.
 */
export function voice(chord: Chord, before: readonly number[], centre: number): number[] {
  const kept = chord.intervals.length > 4 ? chord.intervals.slice(1) : chord.intervals
  const classes = kept.map((i) => (chord.root + i) % 12)
  let best: number[] = []
  let least = Number.POSITIVE_INFINITY
  for (let low = centre - 12; low < centre + 4; low++) {
    if (!classes.includes(low % 12)) continue
    const close = classes.map((c) => low + ((((c - low) % 12) + 12) % 12)).sort((a, b) => a - b)
    for (const voicing of [close, dropSecond(close)]) {
      const cost = movement(voicing, before) + Math.abs(mean(voicing) - centre) * 0.9 + roughness(voicing)
      if (cost < least) {
        least = cost
        best = voicing
      }
    }
  }
  return best
}

/** The second voice from the top an octave down: open, and kinder to seconds. */
function dropSecond(close: readonly number[]): number[] {
  return close.map((note, i) => (i === close.length - 2 ? note - 12 : note)).sort((a, b) => a - b)
}

function movement(voicing: readonly number[], before: readonly number[]): number {
  if (before.length === 0) return 0
  return voicing.reduce((sum, note) => sum + Math.min(...before.map((old) => Math.abs(old - note))), 0)
}

/** Semitones between neighbours and anything muddy below E3 cost extra. */
function roughness(voicing: readonly number[]): number {
  const clashes = voicing.filter((note, i) => i > 0 && note - (voicing[i - 1] ?? 0) === 1).length
  return clashes * 3 + voicing.filter((note) => note < 52).length * 4
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0) / numbers.length
}
