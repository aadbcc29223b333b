import { roundEdges } from './envelope.ts'
import { Biquad } from './filter.ts'
import { noise, type Rng } from './rng.ts'
import { RATE } from './stereo.ts'

/** The six inharmonic pulses (hertz) inside the analog hats of the early eighties. */
const METAL = [205.3, 304.4, 369.6, 522.7, 635.4, 812.1]

/**
 * A hat or a crash: pulses and noise above `edge` hertz.
 * `decay` is the time constant in seconds, `metal` from 0 (only air) to 1 (only pulses), `tune` scales the pulses.
 */
export function cymbal(decay: number, edge: number, metal: number, tune: number, rng: Rng): Float32Array {
  const out = new Float32Array(Math.round((decay * 6 + 0.02) * RATE))
  const phases = METAL.map(() => rng())
  const first = new Biquad('highpass', edge, 0.9)
  const second = new Biquad('highpass', edge * 0.9, 0.7)
  const shine = new Biquad('peak', 10_200, 1.2, 4)
  for (let i = 0; i < out.length; i++) {
    const t = i / RATE
    let pulses = 0
    for (let p = 0; p < METAL.length; p++) {
      // 8.4 lifts the pulses' strong partials to where a hat lives; aliasing only adds to the metal.
      const phase = (phases[p]! + (METAL[p]! * 8.4 * tune) / RATE) % 1
      phases[p] = phase
      pulses += phase < 0.5 ? 1 : -1
    }
    const air = noise(rng)
    const level = Math.exp(-t / decay) * 0.75 + Math.exp(-t / (decay * 0.18)) * 0.5
    out[i] = shine.tick(second.tick(first.tick((pulses / 4) * metal + air * (1 - metal)))) * level
  }
  roundEdges(out, 0.0004, Math.min(0.02, decay))
  return out
}

/** A shaker: a breath that swells before it falls. */
export function shaker(length: number, rng: Rng): Float32Array {
  const out = new Float32Array(Math.round(length * RATE))
  const band = new Biquad('bandpass', 7600, 1.1)
  for (let i = 0; i < out.length; i++) {
    const x = i / out.length
    const swell = x < 0.3 ? (x / 0.3) ** 2 : (1 - (x - 0.3) / 0.7) ** 2
    out[i] = band.tick(noise(rng)) * swell * 1.4
  }
  return out
}
