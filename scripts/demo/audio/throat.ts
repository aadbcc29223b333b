import { Svf } from './filter.ts'
import { fromDb } from './stereo.ts'
import { NEUTRAL, type Vowel } from './vowels.ts'

/** Five resonances side by side that move from one vowel to another while they sound. */
export class Throat {
  private readonly formants = [0, 1, 2, 3, 4].map(() => new Svf())
  private readonly gains = new Float64Array(5)
  private readonly size: number

  /** `size` scales every formant: 1 a tenor, 1.1 a falsetto, 0.9 a baritone. */
  constructor(size: number) {
    this.size = size
  }

  /** Stands `x` (0 to 1) of the way between two vowels, and `shut` (0 to 1) of the way to closed lips. */
  shape(from: Vowel, to: Vowel, x: number, shut: number): void {
    for (let f = 0; f < 5; f++) {
      const [h0, d0, w0] = from[f]!
      const [h1, d1, w1] = to[f]!
      const hertz = (h0 + (h1 - h0) * x) * (1 - shut) + NEUTRAL[f]![0] * shut
      const width = w0 + (w1 - w0) * x + 25
      this.formants[f]!.tune(hertz * this.size, hertz / width)
      // The band output peaks at its Q; divided by it, the table's decibels hold.
      this.gains[f] = (fromDb(d0 + (d1 - d0) * x) * width) / hertz
    }
  }

  /** Turns the first `count` samples of a larynx's source into voice, in `heard`. */
  speak(source: Float32Array, heard: Float32Array, count: number): void {
    for (let i = 0; i < count; i++) heard[i] = source[i]! * 0.02
    for (let f = 0; f < 5; f++) this.formants[f]!.addBand(source, heard, count, this.gains[f]! * 6)
  }
}
