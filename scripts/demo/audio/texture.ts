import { Biquad, OnePole, Svf } from './filter.ts'
import { between, noise, type Rng } from './rng.ts'
import { RATE, type Stereo, samplesIn } from './stereo.ts'

/** The surface of a record: `crackle` ticks a second, `hiss` as an amplitude, over the whole length. */
export function vinyl(out: Stereo, crackle: number, hiss: number, rng: Rng): void {
  const count = out.left.length
  for (const samples of [out.left, out.right]) {
    const soft = new OnePole(6500)
    const thin = new Biquad('highpass', 400)
    for (let i = 0; i < count; i++) samples[i]! += thin.tick(soft.tick(noise(rng))) * hiss
  }
  const ticks = Math.round((count / RATE) * crackle)
  for (let n = 0; n < ticks; n++) {
    const at = Math.floor(rng() * (count - 400))
    // Many small, few large: the cube of an even number.
    const loud = 0.012 + 0.11 * rng() ** 5
    const side = between(rng, 0.2, 0.8)
    const length = Math.floor(between(rng, 8, 90))
    const pitch = between(rng, 0.2, 1.4)
    for (let i = 0; i < length * 4; i++) {
      const sample = Math.cos(i * pitch) * Math.exp(-i / length) * loud * Math.min(1, i / 3)
      out.left[at + i]! += sample * side
      out.right[at + i]! += sample * (1 - side)
    }
  }
}

/** Noise that climbs to `end` (seconds) and stops there: the lift before a hook. */
export function riser(out: Stereo, end: number, seconds: number, rng: Rng): void {
  const begin = samplesIn(end - seconds)
  const count = samplesIn(seconds)
  for (const samples of [out.left, out.right]) {
    const band = new Svf()
    for (let i = 0; i < count; i++) {
      const x = i / count
      if (i % 32 === 0) band.tune(300 * 2 ** (4.6 * x), 1.6)
      band.tick(noise(rng))
      const cut = Math.min(1, (count - i) / 400)
      if (begin + i >= 0) samples[begin + i]! += band.band * x * x * cut * 0.22
    }
  }
}

/** Noise that falls away after `start` (seconds): the wave that breaks under a first beat. */
export function wash(out: Stereo, start: number, seconds: number, rng: Rng): void {
  const begin = samplesIn(start)
  const count = samplesIn(seconds)
  for (const samples of [out.left, out.right]) {
    const band = new Svf()
    for (let i = 0; i < count && begin + i < samples.length; i++) {
      const x = i / count
      if (i % 32 === 0) band.tune(7000 * 2 ** (-4.2 * x), 0.7)
      band.tick(noise(rng))
      samples[begin + i]! += band.low * (1 - x) ** 3 * Math.min(1, i / 200) * 0.2
    }
  }
}
