import { roundEdges } from './envelope.ts'
import { Biquad } from './filter.ts'
import { pulse, sine } from './osc.ts'
import { noise, type Rng } from './rng.ts'
import { RATE } from './stereo.ts'

/** A conga or tom: a skin whose pitch settles, with the slap of a hand. */
export function skin(hertz: number, decay: number, slap: number, rng: Rng): Float32Array {
  const out = new Float32Array(Math.round(decay * 1.6 * RATE))
  const hand = new Biquad('bandpass', 1900, 0.9)
  let phase = 0
  let upper = 0
  for (let i = 0; i < out.length; i++) {
    const t = i / RATE
    const bend = 1 + 0.22 * Math.exp(-t / 0.02)
    phase += (hertz * bend) / RATE
    upper += (hertz * 1.59 * bend) / RATE
    const tone = sine(phase) * Math.exp((-4 * t) / decay) + 0.3 * sine(upper) * Math.exp((-9 * t) / decay)
    out[i] = tone * 0.8 + hand.tick(noise(rng)) * Math.exp(-t / 0.007) * slap
  }
  roundEdges(out, 0.0006, 0.02)
  return out
}

/** A cowbell: two pulses a sharp fifth apart through one band. */
export function cowbell(hertz: number): Float32Array {
  const out = new Float32Array(Math.round(0.3 * RATE))
  const band = new Biquad('bandpass', hertz * 4.2, 1.4)
  let a = 0
  let b = 0
  for (let i = 0; i < out.length; i++) {
    const t = i / RATE
    const [stepA, stepB] = [hertz / RATE, (hertz * 1.482) / RATE]
    a = (a + stepA) % 1
    b = (b + stepB) % 1
    const level = Math.exp(-t / 0.012) * 0.7 + Math.exp(-t / 0.07) * 0.4
    out[i] = band.tick(pulse(a, stepA, 0.5) + pulse(b, stepB, 0.5)) * level * 0.6
  }
  roundEdges(out, 0.0005, 0.02)
  return out
}

/** The boom under a section's first beat: a low sine that sinks for two seconds. */
export function boom(hertz: number): Float32Array {
  const out = new Float32Array(2 * RATE)
  let phase = 0
  for (let i = 0; i < out.length; i++) {
    const t = i / RATE
    phase += (hertz * (1 + 0.8 * Math.exp(-t / 0.08))) / RATE
    out[i] = Math.tanh(sine(phase) * 1.5) * Math.exp(-t / 0.5) * Math.min(1, t / 0.002)
  }
  roundEdges(out, 0.001, 0.1)
  return out
}
