import { Svf } from './filter.ts'
import { hertzOf } from './harmony.ts'
import type { Instrument } from './note.ts'
import { saw, sine } from './osc.ts'
import { between } from './rng.ts'
import { panGains, RATE, samplesIn, soundingSpans } from './stereo.ts'

/** `bark` is the overtones of a hard stroke, `tine` the bell of the hammer, `decay` seconds a held C4 rings. */
export interface PianoPatch {
  bark: number
  tine: number
  decay: number
}

/** An electric piano in two FM pairs: body (1:1) and tine (1:14), darker and longer towards the bass. */
export function electricPiano(patch: PianoPatch): Instrument {
  return (out, notes, rng) => {
    for (const note of notes) {
      const hertz = hertzOf(note.midi) * (1 + between(rng, -0.0006, 0.0006))
      const begin = samplesIn(note.time)
      const held = samplesIn(note.length)
      const release = samplesIn(0.22)
      const step = hertz / RATE
      const ring = patch.decay * 2 ** ((60 - note.midi) / 18)
      const [left, right] = panGains(Math.max(-0.5, Math.min(0.5, (note.midi - 62) / 34)))
      const fall = Math.exp(-1 / (ring * 0.45 * RATE))
      const barkFall = Math.exp(-1 / (ring * 0.16 * RATE))
      const tineFall = Math.exp(-1 / (0.09 * RATE))
      let level = note.velocity ** 1.3 * 0.34
      let bark = patch.bark * (0.35 + note.velocity)
      let tine = patch.tine * note.velocity
      let phase = rng()
      for (let i = 0; i < held + release && begin + i < out.left.length; i++) {
        phase += step
        level *= fall
        bark *= barkFall
        tine *= tineFall
        const body = sine(phase + bark * 0.16 * sine(phase) + 0.03 * sine(phase * 0.5))
        const bell = tine > 0.001 ? sine(phase + tine * 0.12 * sine(phase * 14)) - sine(phase) : 0
        const damp = i < held ? 1 : (1 - (i - held) / release) ** 2
        const sample = (body + bell * 0.8) * level * damp * Math.min(1, i / 60)
        out.left[begin + i]! += sample * left
        out.right[begin + i]! += sample * right
      }
    }
  }
}

/** `attack` and `release` in seconds, `cutoff` in hertz, `drift` how far the filter wanders (0 to 1). */
export interface PadPatch {
  attack: number
  release: number
  cutoff: number
  drift: number
}

/** Detuned saws, two to a side and one in the middle, behind a filter that breathes once in four bars or so. */
export function warmPad(patch: PadPatch): Instrument {
  return (out, notes, rng) => {
    const detune = [-0.0052, 0.0041, -0.0029, 0.0058, 0.0003]
    for (const note of notes) {
      const begin = samplesIn(note.time)
      const held = samplesIn(note.length)
      const release = samplesIn(patch.release)
      const attack = samplesIn(patch.attack)
      const steps = Float64Array.from(detune, (cents) => (hertzOf(note.midi) * (1 + cents)) / RATE)
      const phases = Float64Array.from(detune, () => rng())
      const level = note.velocity * 0.085
      for (let i = 0; i < held + release && begin + i < out.left.length; i++) {
        const rise = Math.min(1, i / attack)
        const edge = (i < held ? rise : rise * (1 - (i - held) / release) ** 2) * level
        for (let v = 0; v < 5; v++) {
          const phase = phases[v]! + steps[v]!
          phases[v] = phase >= 1 ? phase - 1 : phase
        }
        const middle = saw(phases[4]!, steps[4]!)
        out.left[begin + i]! += (saw(phases[0]!, steps[0]!) + saw(phases[1]!, steps[1]!) + middle) * edge
        out.right[begin + i]! += (saw(phases[2]!, steps[2]!) + saw(phases[3]!, steps[3]!) + middle) * edge
      }
    }
    for (const { at, span } of soundingSpans(out)) {
      breathe(span.left, at, 0, patch)
      breathe(span.right, at, 0.21, patch)
    }
  }
}

/** The pad's filter over a stretch that begins at sample `at`; `turn` sets the sides apart. */
function breathe(samples: Float32Array, at: number, turn: number, patch: PadPatch): void {
  const filter = new Svf()
  for (let i = 0; i < samples.length; i++) {
    if (i % 64 === 0) filter.tune(patch.cutoff * (1 + patch.drift * 0.6 * sine((at + i) / RATE / 9.7 + turn)), 0.75)
    filter.tick(samples[i]!)
    samples[i] = filter.low
  }
}
