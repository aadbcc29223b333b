import { adsr } from './envelope.ts'
import { Biquad, Svf } from './filter.ts'
import { hertzOf } from './harmony.ts'
import type { Instrument } from './note.ts'
import { pulse, saw, sine } from './osc.ts'
import { between, noise } from './rng.ts'
import { panGains, RATE, samplesIn } from './stereo.ts'

/** `ratio` of the modulator to the note (3.5 glass, 4 wood, 1.41 gong), `index` its depth, `decay` seconds. */
export interface MalletPatch {
  ratio: number
  index: number
  decay: number
}

/** Bells and mallets by FM: bright while it is struck, a plain sine when it fades. */
export function mallet(patch: MalletPatch): Instrument {
  return (out, notes, rng) => {
    for (const note of notes) {
      const begin = samplesIn(note.time)
      const step = hertzOf(note.midi) / RATE
      const ring = patch.decay * 2 ** ((72 - note.midi) / 24)
      const count = samplesIn(ring * 1.6)
      const [left, right] = panGains(between(rng, -0.35, 0.35))
      // Higher bars ring purer; it also keeps the sidebands under the fold.
      const index = patch.index * (0.4 + 0.6 * note.velocity) * 2 ** ((66 - note.midi) / 20)
      const fading = Math.exp(-4.5 / (ring * RATE))
      const dulling = Math.exp(-14 / (ring * RATE))
      let fall = 1
      let strike = index
      for (let i = 0; i < count && begin + i < out.left.length; i++) {
        fall *= fading
        strike *= dulling
        const edge = i < 70 ? i / 70 : count - i < 400 ? (count - i) / 400 : 1
        const turn = (strike + index * 0.12 * fall) * 0.16
        const sample = sine(i * step + turn * sine(i * step * patch.ratio)) * fall * edge
        out.left[begin + i]! += sample * left * note.velocity * 0.32
        out.right[begin + i]! += sample * right * note.velocity * 0.32
      }
    }
  }
}

/** `damp` from 0 (steel) to 1 (felt), `ring` seconds a held string sounds, `pick` where along the string it is plucked. */
export interface StringPatch {
  damp: number
  ring: number
  pick: number
}

/** A plucked string after Karplus and Strong, with a pick position and a wooden body. */
export function guitar(patch: StringPatch): Instrument {
  return (out, notes, rng) => {
    for (const note of notes) {
      const begin = samplesIn(note.time)
      const hertz = hertzOf(note.midi)
      const period = RATE / hertz - 0.5 - patch.damp * 0.5
      const size = Math.ceil(period) + 2
      const line = new Float32Array(size)
      const colour = new Biquad('lowpass', 1400 + 5200 * note.velocity * (1 - patch.damp * 0.6))
      const comb = Math.max(1, Math.round(period * patch.pick))
      const burst = Float32Array.from({ length: Math.round(period) }, () => colour.tick(noise(rng)))
      for (let i = 0; i < burst.length; i++)
        line[i] = burst[i]! - burst[(i + burst.length - comb) % burst.length]! * 0.8
      const keep = Math.exp(-6.9 / (patch.ring * hertz))
      const held = samplesIn(note.length)
      const release = samplesIn(0.12)
      const [left, right] = panGains(between(rng, -0.25, 0.25))
      const body = new Biquad('peak', 210, 1.2, 4)
      let write = burst.length
      let last = 0
      for (let i = 0; i < held + release && begin + i < out.left.length; i++) {
        let read = write - period
        if (read < 0) read += size
        const index = Math.floor(read)
        const a = line[index % size]!
        const b = line[(index + 1) % size]!
        const sample = a + (b - a) * (read - index)
        const soft = (0.5 + 0.5 * (1 - patch.damp)) * sample + 0.5 * patch.damp * last
        last = sample
        line[write] = soft * keep
        write = (write + 1) % size
        const edge = (i < held ? 1 : (1 - (i - held) / release) ** 2) * Math.min(1, i / 30)
        const heard = body.tick(sample) * edge * note.velocity * 0.5
        out.left[begin + i]! += heard * left
        out.right[begin + i]! += heard * right
      }
    }
  }
}

/** `cutoff` in hertz at rest, `sweep` how many octaves a stroke opens it, `decay` seconds, `width` 0 to 1. */
export interface SynthPatch {
  cutoff: number
  sweep: number
  decay: number
  sustain: number
  width: number
}

/** The analog pluck of a night drive: saw against pulse, each filtered on its own side. */
export function synthPluck(patch: SynthPatch): Instrument {
  return (out, notes, rng) => {
    const shape = { attack: 0.003, decay: patch.decay, sustain: patch.sustain, release: 0.16 }
    for (const note of notes) {
      const begin = samplesIn(note.time)
      const count = samplesIn(note.length + shape.release)
      const hertz = hertzOf(note.midi)
      const stepA = (hertz * 1.0023) / RATE
      const stepB = (hertz * 0.9979) / RATE
      const [filterA, filterB] = [new Svf(), new Svf()]
      let a = rng()
      let b = rng()
      for (let i = 0; i < count && begin + i < out.left.length; i++) {
        const level = adsr(i / RATE, note.length, shape)
        if (i % 16 === 0) {
          const cutoff = patch.cutoff * 2 ** (patch.sweep * level * level * (0.5 + 0.5 * note.velocity))
          filterA.tune(cutoff, 1.4)
          filterB.tune(cutoff * 1.06, 1.4)
        }
        a += stepA
        if (a >= 1) a -= 1
        b += stepB
        if (b >= 1) b -= 1
        filterA.tick(saw(a, stepA))
        filterB.tick(pulse(b, stepB, 0.38))
        const x = filterA.low
        const y = filterB.low
        const gain = level * note.velocity * 0.4
        out.left[begin + i]! += (x + y * (1 - patch.width)) * gain
        out.right[begin + i]! += (y + x * (1 - patch.width)) * gain
      }
    }
  }
}
