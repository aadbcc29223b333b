import { Biquad } from './filter.ts'
import { hertzOf } from './harmony.ts'
import type { Instrument, Note } from './note.ts'
import { saw, sine } from './osc.ts'
import { between, noise, type Rng } from './rng.ts'
import { panGains, RATE, type Stereo, samplesIn } from './stereo.ts'
import { Throat } from './throat.ts'
import { HISSES, readSyllable } from './vowels.ts'

/** `doubles` sing along left and right, `breath` is air in the tone, `vibrato` is in semitones. */
export interface VocalPatch {
  doubles: number
  breath: number
  vibrato: number
  /** Of the throat: 1 a tenor, 1.1 a falsetto, 0.9 a baritone. */
  size: number
}

/** A sung line: a glottal saw through five formants that move with the syllables; doubles are late and out of tune. */
export function vocal(patch: VocalPatch): Instrument {
  return (out, notes, rng) => {
    sing(out, notes, patch, { cents: 0, late: 0, pan: 0, gain: 1 }, rng)
    for (let i = 0; i < patch.doubles; i++) {
      const side = i % 2 === 0 ? -1 : 1
      const place = { cents: side * between(rng, 6, 11), late: between(rng, 0.012, 0.028), pan: side * 0.8, gain: 0.55 }
      sing(out, notes, patch, place, rng)
    }
  }
}

/** Samples between two looks at vowel and vibrato: under a millisecond. */
const BLOCK = 32

interface Place {
  cents: number
  late: number
  pan: number
  gain: number
}

function sing(out: Stereo, notes: readonly Note[], patch: VocalPatch, place: Place, rng: Rng): void {
  const throat = new Throat(patch.size)
  const source = new Float32Array(BLOCK)
  const heard = new Float32Array(BLOCK)
  const air = new Biquad('highpass', 1500)
  const [left, right] = panGains(place.pan)
  const bend = 2 ** (place.cents / 1200)
  let hertz = 0
  let phase = 0
  let glottis = 0
  let loudness = 0
  let clock = rng() * 10
  for (const [index, note] of notes.entries()) {
    const next = notes[index + 1]
    const legato = next !== undefined && follows(note, next)
    const tied = index > 0 && follows(notes[index - 1]!, note)
    const begin = samplesIn(note.time + place.late)
    const held = samplesIn((legato ? next.time : note.time + note.length) + place.late) - begin
    // A breath between phrases, only a dip between the syllables of one.
    const release = legato ? 0 : samplesIn(0.14)
    const target = hertzOf(note.midi) * bend
    const { consonant, from, to } = readSyllable(note.syllable)
    const hiss = HISSES[consonant]
    const closed = consonant !== '' && !hiss
    if (hiss) hush(out, begin - samplesIn(hiss[0] * 0.7), hiss, note.velocity * place.gain, left, right, rng)
    // A scoop into the note from below, as singers do; a slide starts where the last note was.
    if (!note.slide || hertz === 0)
      hertz = hertz > 0 && Math.abs(hertz / target - 1) < 0.3 ? (hertz + target) / 2 : target * 0.965
    const approach = Math.exp(-1 / ((note.slide ? 0.045 : 0.022) * RATE))
    const attack = samplesIn(note.slide ? 0.012 : 0.03)
    const count = Math.min(held + release, out.left.length - begin)
    const loud = note.velocity * place.gain * 0.14
    for (let at = 0; at < count; at += BLOCK) {
      const size = Math.min(BLOCK, count - at)
      const opened = Math.min(1, Math.max(0, (at / held - 0.45) / 0.35))
      throat.shape(from, to, opened, closed ? Math.exp(-at / (0.035 * RATE)) : 0)
      clock += size / RATE
      const late = Math.min(1, Math.max(0, (at / RATE - 0.22) / 0.3))
      const wander = 0.0016 * sine(clock * 1.7) + 0.0011 * sine(clock * 2.9)
      const bent = (1 + wander + patch.vibrato * late * sine(clock * 5.4) * 0.0578) / RATE
      for (let i = 0; i < size; i++) {
        hertz = target + (hertz - target) * approach
        const step = hertz * bent
        phase += step
        if (phase >= 1) phase -= 1
        // A pole on the saw gives the tilt of a larynx.
        glottis += 0.46 * (saw(phase, step) - glottis)
        source[i] = glottis + air.tick(noise(rng)) * patch.breath * (0.4 + 0.6 * phase)
      }
      throat.speak(source, heard, size)
      for (let n = 0; n < size; n++) {
        const i = at + n
        loudness += (loud - loudness) * (tied ? 0.004 : 1)
        const swell = Math.min(1, i / attack)
        const lift = tied ? Math.max(0.55, swell) : swell
        const dip = legato ? 1 - 0.45 * Math.max(0, 1 - (held - i) / (0.035 * RATE)) : 1
        const close = i < held ? dip : (1 - (i - held) / release) ** 2
        const sample = heard[n]! * lift * close * loudness
        out.left[begin + i]! += sample * left
        out.right[begin + i]! += sample * right
      }
    }
  }
}

function follows(note: Note, next: Note): boolean {
  return next.time - (note.time + note.length) < 0.02
}

/** The noise of a consonant, just before its vowel. */
function hush(
  out: Stereo,
  at: number,
  hiss: readonly [number, number, number],
  gain: number,
  left: number,
  right: number,
  rng: Rng,
): void {
  const [seconds, hertz, loudness] = hiss
  const count = samplesIn(seconds)
  const band = new Biquad('bandpass', hertz, 1.1)
  for (let i = 0; i < count; i++) {
    const index = at + i
    if (index < 0 || index >= out.left.length) continue
    const x = i / count
    const sample = band.tick(noise(rng)) * Math.sin(Math.PI * Math.sqrt(x)) * loudness * gain * 0.2
    out.left[index]! += sample * left
    out.right[index]! += sample * right
  }
}
