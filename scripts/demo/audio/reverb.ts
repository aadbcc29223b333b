import { Biquad } from './filter.ts'
import { RATE, type Stereo, silence } from './stereo.ts'

/** `seconds` to lose 60 dB, `damp` where the highs begin to die (hertz), `predelay` in seconds. */
export interface RoomPatch {
  seconds: number
  damp: number
  predelay: number
}

/** Mutually prime lengths in samples, 25 to 60 ms. */
const LENGTHS = [1117, 1301, 1471, 1627, 1873, 2081, 2339, 2621]

/** A feedback delay network of eight lines mixed by a Householder matrix (Jot), fed through two diffusers a side. */
export function reverb(input: Stereo, patch: RoomPatch): Stereo {
  const count = input.left.length
  const out = silence(count)
  const lines = LENGTHS.map((length) => new Float32Array(length))
  const places = new Int32Array(8)
  const keeps = Float64Array.from(LENGTHS, (length) => 10 ** ((-3 * length) / RATE / patch.seconds))
  const damp = 1 - Math.exp((-2 * Math.PI * patch.damp) / RATE)
  const damped = new Float64Array(8)
  const left = diffused(input.left, 229, 617)
  const right = diffused(input.right, 251, 653)
  const wait = Math.round(patch.predelay * RATE)
  for (let i = 0; i < count; i++) {
    let sum = 0
    for (let n = 0; n < 8; n++) {
      const old = damped[n]!
      const tap = old + damp * (lines[n]![places[n]!]! * keeps[n]! - old)
      damped[n] = tap
      sum += tap
    }
    const shared = sum * 0.25
    const from = i - wait
    const evens = from < 0 ? 0 : left[from]!
    const odds = from < 0 ? 0 : right[from]!
    let wetLeft = 0
    let wetRight = 0
    for (let n = 0; n < 8; n++) {
      const tap = damped[n]!
      const place = places[n]!
      const sign = n & 2 ? -1 : 1
      if (n % 2 === 0) wetLeft += tap * sign
      else wetRight += tap * sign
      lines[n]![place] = tap - shared + (n % 2 === 0 ? evens : odds)
      places[n] = place + 1 === LENGTHS[n] ? 0 : place + 1
    }
    out.left[i] = wetLeft * 0.4
    out.right[i] = wetRight * 0.4
  }
  return out
}

/** The input without its lows, smeared by two all-passes of the given lengths. */
function diffused(input: Float32Array, first: number, second: number): Float32Array {
  const smeared = input.slice()
  new Biquad('highpass', 220).run(smeared)
  allpass(smeared, first)
  allpass(smeared, second)
  return smeared
}

function allpass(samples: Float32Array, length: number): void {
  const line = new Float32Array(length)
  let place = 0
  for (let i = 0; i < samples.length; i++) {
    const x = samples[i]!
    const y = line[place]! - 0.62 * x
    line[place] = x + 0.62 * y
    samples[i] = y
    place = place + 1 === length ? 0 : place + 1
  }
}
