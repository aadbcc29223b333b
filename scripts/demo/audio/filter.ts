import { RATE } from './stereo.ts'

export type BiquadShape = 'lowpass' | 'highpass' | 'bandpass' | 'peak' | 'lowshelf' | 'highshelf'

/** A second-order section after Robert Bristow-Johnson's "Audio EQ Cookbook". */
export class Biquad {
  private b0 = 1
  private b1 = 0
  private b2 = 0
  private a1 = 0
  private a2 = 0
  private z1 = 0
  private z2 = 0

  constructor(shape: BiquadShape, hertz: number, q = Math.SQRT1_2, gainDb = 0) {
    const w = (2 * Math.PI * Math.min(hertz, RATE * 0.49)) / RATE
    const cos = Math.cos(w)
    const alpha = Math.sin(w) / (2 * q)
    const a = 10 ** (gainDb / 40)
    const slope = 2 * Math.sqrt(a) * alpha
    const set = (b0: number, b1: number, b2: number, a0: number, a1: number, a2: number) => {
      this.b0 = b0 / a0
      this.b1 = b1 / a0
      this.b2 = b2 / a0
      this.a1 = a1 / a0
      this.a2 = a2 / a0
    }
    if (shape === 'lowpass') set((1 - cos) / 2, 1 - cos, (1 - cos) / 2, 1 + alpha, -2 * cos, 1 - alpha)
    else if (shape === 'highpass') set((1 + cos) / 2, -1 - cos, (1 + cos) / 2, 1 + alpha, -2 * cos, 1 - alpha)
    else if (shape === 'bandpass') set(alpha, 0, -alpha, 1 + alpha, -2 * cos, 1 - alpha)
    else if (shape === 'peak') set(1 + alpha * a, -2 * cos, 1 - alpha * a, 1 + alpha / a, -2 * cos, 1 - alpha / a)
    else {
      // The two shelves mirror each other: the sign of the cosine is the whole difference.
      const s = shape === 'lowshelf' ? 1 : -1
      set(
        a * (a + 1 - s * (a - 1) * cos + slope),
        s * 2 * a * (a - 1 - s * (a + 1) * cos),
        a * (a + 1 - s * (a - 1) * cos - slope),
        a + 1 + s * (a - 1) * cos + slope,
        s * -2 * (a - 1 + s * (a + 1) * cos),
        a + 1 + s * (a - 1) * cos - slope,
      )
    }
  }

  tick(x: number): number {
    const y = this.b0 * x + this.z1
    this.z1 = this.b1 * x - this.a1 * y + this.z2
    this.z2 = this.b2 * x - this.a2 * y
    return y
  }

  /** Filters a whole buffer in place. */
  run(samples: Float32Array): void {
    // The same arithmetic as `tick` with the state in locals: a whole song passes here many times.
    const { b0, b1, b2, a1, a2 } = this
    let { z1, z2 } = this
    for (let i = 0; i < samples.length; i++) {
      const x = samples[i]!
      const y = b0 * x + z1
      z1 = b1 * x - a1 * y + z2
      z2 = b2 * x - a2 * y
      samples[i] = y
    }
    this.z1 = z1
    this.z2 = z2
  }
}

/** A state-variable filter (Zavalishin's topology-preserving form): its cutoff may move at any sample. */
export class Svf {
  low = 0
  band = 0
  high = 0
  private s1 = 0
  private s2 = 0
  private g = 0
  private k = 1
  private d = 1

  /** `q` from 0.5 (soft) to about 12 (whistling). */
  tune(hertz: number, q: number): void {
    this.g = Math.tan((Math.PI * Math.min(hertz, RATE * 0.45)) / RATE)
    this.k = 1 / q
    this.d = 1 / (1 + this.g * (this.g + this.k))
  }

  /** Takes one sample; `low`, `band` and `high` then hold the outputs. */
  tick(x: number): void {
    const high = (x - (this.g + this.k) * this.s1 - this.s2) * this.d
    const band = this.g * high + this.s1
    const low = this.g * band + this.s2
    this.s1 = this.g * high + band
    this.s2 = this.g * band + low
    this.low = low
    this.band = band
    this.high = high
  }

  /** Adds the band output of `count` samples, times `gain`, to `target`. */
  addBand(source: Float32Array, target: Float32Array, count: number, gain: number): void {
    const { g, d } = this
    const damping = g + this.k
    let { s1, s2 } = this
    for (let i = 0; i < count; i++) {
      const high = (source[i]! - damping * s1 - s2) * d
      const band = g * high + s1
      const low = g * band + s2
      s1 = g * high + band
      s2 = g * band + low
      target[i]! += band * gain
    }
    this.s1 = s1
    this.s2 = s2
  }
}

/** One pole: `hertz` is the corner; `tick` answers the low-passed sample. */
export class OnePole {
  private y = 0
  private readonly c: number

  constructor(hertz: number) {
    this.c = 1 - Math.exp((-2 * Math.PI * hertz) / RATE)
  }

  tick(x: number): number {
    this.y += this.c * (x - this.y)
    return this.y
  }
}
