import { Biquad } from './filter.ts'
import { sine } from './osc.ts'
import { RATE, type Stereo, silence } from './stereo.ts'

/** A ping-pong echo: `seconds` between the sides, `feedback` below 1; each turn loses highs and lows. */
export function pingPong(input: Stereo, seconds: number, feedback: number): Stereo {
  const count = input.left.length
  const out = silence(count)
  const length = Math.max(1, Math.round(seconds * RATE))
  const left = new Float32Array(length)
  const right = new Float32Array(length)
  const dark = [new Biquad('lowpass', 3600), new Biquad('lowpass', 3600)] as const
  const thin = [new Biquad('highpass', 320), new Biquad('highpass', 320)] as const
  let place = 0
  for (let i = 0; i < count; i++) {
    const l = left[place]!
    const r = right[place]!
    out.left[i] = l
    out.right[i] = r
    left[place] = thin[0].tick(dark[0].tick((input.left[i]! + input.right[i]!) * 0.5 + r * feedback))
    right[place] = thin[1].tick(dark[1].tick(l * 0.92))
    place = place + 1 === length ? 0 : place + 1
  }
  return out
}

/** `seconds` around which the tape or the chorus moves, `depth` of the movement in seconds, `hertz` its speed, `mix` 0 to 1. */
export interface Sway {
  seconds: number
  depth: number
  hertz: number
  mix: number
  /** The phase between the sides in cycles: 0.25 widens, 0 is a tape machine. */
  spread: number
}

/** A delay whose length sways: a chorus when mixed by half, the wow of a tape when fully wet. In place. */
export function sway(sound: Stereo, patch: Sway): void {
  for (const [side, samples] of [sound.left, sound.right].entries()) {
    const size = Math.ceil((patch.seconds + patch.depth) * RATE) + 4
    const line = new Float32Array(size)
    let place = 0
    let behind = 0
    let drift = 0
    for (let i = 0; i < samples.length; i++) {
      const dry = samples[i]!
      line[place] = dry
      if (i % 32 === 0) {
        const turn = ((i + 32) / RATE) * patch.hertz + side * patch.spread
        // Two speeds that never meet again keep it from sounding like a machine.
        const swing = 0.7 * sine(turn) + 0.3 * sine(turn * 2.37 + 0.4)
        const target = (patch.seconds + patch.depth * swing) * RATE
        if (i === 0) behind = target
        drift = (target - behind) / 32
      }
      behind += drift
      let read = place - behind
      if (read < 0) read += size
      const index = Math.floor(read)
      const a = line[index]!
      const b = line[index + 1 === size ? 0 : index + 1]!
      const wet = a + (b - a) * (read - index)
      samples[i] = dry * (1 - patch.mix) + wet * patch.mix
      place = place + 1 === size ? 0 : place + 1
    }
  }
}
