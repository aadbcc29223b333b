import { Svf } from './filter.ts'
import { fromDb } from './stereo.ts'
import { NEUTRAL, type Vowel } from './vowels.ts'

/** The table was measured in a hall; a close microphone hears the upper resonances nearer to the first. */
const PRESENCE = 0.6

/** Five resonances side by side that move from one vowel to another while they sound. */
export class Throat {
  private readonly formants = [0, 1, 2, 3, 4].map(() => new Svf())
  private readonly gains = new Float64Array(5)
  private readonly size: number
  /** Hertz, decibels and bandwidth of each formant as they stand. */
  private readonly now = new Float64Array(15)

  /** `size` scales every formant: 1 a tenor, 1.1 a falsetto, 0.9 a baritone. */
  constructor(size: number) {
    this.size = size
  }

  /** Moves towards `x` (0 to 1) of the way between two vowels, and `shut` (0 to 1) of the way to closed lips. */
  shape(from: Vowel, to: Vowel, x: number, shut: number): void {
    for (let f = 0; f < 5; f++) {
      const [h0, d0, w0] = from[f]!
      const [h1, d1, w1] = to[f]!
      this.approach(f, 0, (h0 + (h1 - h0) * x) * (1 - shut) + NEUTRAL[f]![0] * shut)
      this.approach(f, 1, (d0 + (d1 - d0) * x) * PRESENCE)
      this.approach(f, 2, w0 + (w1 - w0) * x + 25)
      const hertz = this.now[f * 3]!
      const width = this.now[f * 3 + 2]!
      this.formants[f]!.tune(hertz * this.size, hertz / width)
      // The band output peaks at its Q; divided by it, the table's decibels hold.
      this.gains[f] = (fromDb(this.now[f * 3 + 1]!) * width) / hertz
    }
  }

  /** A tongue takes some milliseconds: without them every syllable would click. */
  private approach(formant: number, field: number, wanted: number): void {
    const place = formant * 3 + field
    const old = this.now[place]!
    this.now[place] = old === 0 && field !== 1 ? wanted : old + (wanted - old) * 0.14
  }

  /** Turns the first `count` samples of a larynx's source into voice, in `heard`. */
  speak(source: Float32Array, heard: Float32Array, count: number): void {
    for (let i = 0; i < count; i++) heard[i] = source[i]! * 0.02
    for (let f = 0; f < 5; f++) this.formants[f]!.addBand(source, heard, count, this.gains[f]! * 6)
  }
}
