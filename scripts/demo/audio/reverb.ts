import { Biquad, OnePole } from './filter.ts'
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
  const places = new Int32Array(LENGTHS.length)
  const keeps = LENGTHS.map((length) => 10 ** ((-3 * length) / RATE / patch.seconds))
  const dampers = LENGTHS.map(() => new OnePole(patch.damp))
  const cuts = [new Biquad('highpass', 220), new Biquad('highpass', 220)] as const
  const diffuse = [allpass(229), allpass(617), allpass(251), allpass(653)] as const
  const wait = Math.round(patch.predelay * RATE)
  const taps = new Float32Array(8)
  for (let i = 0; i < count; i++) {
    const from = i - wait
    const left = from < 0 ? 0 : diffuse[1](diffuse[0](cuts[0].tick(input.left[from]!)))
    const right = from < 0 ? 0 : diffuse[3](diffuse[2](cuts[1].tick(input.right[from]!)))
    let sum = 0
    for (let n = 0; n < 8; n++) {
      const tap = dampers[n]!.tick(lines[n]![places[n]!]!) * keeps[n]!
      taps[n] = tap
      sum += tap
    }
    const shared = sum * 0.25
    let [wetLeft, wetRight] = [0, 0]
    for (let n = 0; n < 8; n++) {
      const tap = taps[n]!
      const place = places[n]!
      lines[n]![place] = tap - shared + (n % 2 === 0 ? left : right)
      places[n] = place + 1 === LENGTHS[n] ? 0 : place + 1
      const sign = n & 2 ? -1 : 1
      if (n % 2 === 0) wetLeft += tap * sign
      else wetRight += tap * sign
    }
    out.left[i] = wetLeft * 0.4
    out.right[i] = wetRight * 0.4
  }
  return out
}

function allpass(length: number): (x: number) => number {
  const line = new Float32Array(length)
  let place = 0
  return (x) => {
    const old = line[place]!
    const y = old - 0.62 * x
    line[place] = x + 0.62 * y
    place = place + 1 === length ? 0 : place + 1
    return y
  }
}
