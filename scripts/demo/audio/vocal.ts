import { Biquad, Svf } from './filter.ts'
import { hertzOf } from './harmony.ts'
import type { Instrument, Note } from './note.ts'
import { saw, sine } from './osc.ts'
import { between, noise, type Rng } from './rng.ts'
import { fromDb, panGains, RATE, type Stereo, samplesIn } from './stereo.ts'
import { HISSES, NEUTRAL, readSyllable } from './vowels.ts'

/** `doubles` sing along left and right, `breath` is air in the tone, `vibrato` is in semitones. */
export interface VocalPatch {
  doubles: number
  breath: number
  vibrato: number
  /** Scales the formants: 1 a tenor, 1.15 a falsetto, 0.9 a baritone. */
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

interface Place {
  cents: number
  late: number
  pan: number
  gain: number
}

function sing(out: Stereo, notes: readonly Note[], patch: VocalPatch, place: Place, rng: Rng): void {
  const throat = [0, 1, 2, 3, 4].map(() => new Svf())
  const gains = new Float32Array(5)
  const air = new Biquad('highpass', 1500)
  const [left, right] = panGains(place.pan)
  const bend = 2 ** (place.cents / 1200)
  let hertz = 0
  let phase = 0
  let glottis = 0
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
    for (let i = 0; i < held + release && begin + i < out.left.length; i++) {
      if (i % 32 === 0) {
        const x = Math.min(1, Math.max(0, (i / held - 0.45) / 0.35))
        const shut = closed ? Math.exp(-i / (0.035 * RATE)) : 0
        for (let f = 0; f < 5; f++) {
          const [h0, d0, w0] = from[f]!
          const [h1, d1, w1] = to[f]!
          const rest = NEUTRAL[f]!
          const hz = (h0 + (h1 - h0) * x) * (1 - shut) + rest[0] * shut
          const width = w0 + (w1 - w0) * x + 25
          throat[f]!.tune(hz * patch.size, hz / width)
          gains[f] = (fromDb(d0 + (d1 - d0) * x) * width) / hz
        }
      }
      clock += 1 / RATE
      const t = i / RATE
      hertz = target + (hertz - target) * approach
      const shake = patch.vibrato * Math.min(1, Math.max(0, (t - 0.22) / 0.3)) * sine(clock * 5.4)
      const wander = 0.0016 * sine(clock * 1.7) + 0.0011 * sine(clock * 2.9)
      const step = (hertz * (1 + wander + shake * 0.0578)) / RATE
      phase += step
      if (phase >= 1) phase -= 1
      // Two gentle poles on the saw give the tilt of a larynx.
      glottis += 0.32 * (saw(phase, step) - glottis)
      const source = glottis + air.tick(noise(rng)) * patch.breath * (0.4 + 0.6 * phase)
      let sample = 0
      for (let f = 0; f < 5; f++) {
        throat[f]!.tick(source)
        sample += throat[f]!.band * gains[f]!
      }
      sample = sample * 6 + source * 0.02
      const swell = Math.min(1, i / attack)
      const dip = legato ? 1 - 0.45 * Math.max(0, 1 - (held - i) / (0.035 * RATE)) : 1
      const lift = tied ? Math.max(0.55, swell) : swell
      const close = i < held ? dip : (1 - (i - held) / release) ** 2
      const heard = sample * lift * close * note.velocity * place.gain * 0.5
      out.left[begin + i]! += heard * left
      out.right[begin + i]! += heard * right
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
    const sample = band.tick(noise(rng)) * Math.sin(Math.PI * Math.sqrt(x)) * loudness * gain * 0.5
    out.left[index]! += sample * left
    out.right[index]! += sample * right
  }
}
