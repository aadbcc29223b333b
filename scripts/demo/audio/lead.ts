import { Svf } from './filter.ts'
import { hertzOf } from './harmony.ts'
import type { Instrument } from './note.ts'
import { pulse, saw, sine, triangle } from './osc.ts'
import { RATE, samplesIn } from './stereo.ts'

/** `reed` from 0 (whistle) to 1 (saw), `cutoff` in hertz, `glide` and `attack` in seconds. */
export interface LeadPatch {
  reed: number
  cutoff: number
  glide: number
  attack: number
}

/** One singing oscillator with portamento and a vibrato that arrives late. */
export function lead(patch: LeadPatch): Instrument {
  return (out, notes) => {
    const filter = new Svf()
    let hertz = 0
    let phase = 0
    let clock = 0
    let loud = 0
    for (const [index, note] of notes.entries()) {
      const next = notes[index + 1]
      const tied = next?.slide === true
      const begin = samplesIn(note.time)
      const held = samplesIn(tied ? next.time : note.time + note.length) - begin
      const release = tied ? 0 : samplesIn(0.12)
      const target = hertzOf(note.midi)
      if (!note.slide || hertz === 0) hertz = target * 0.985
      const approach = Math.exp(-1 / (patch.glide * 0.4 * RATE))
      const attack = samplesIn(patch.attack)
      for (let i = 0; i < held + release && begin + i < out.left.length; i++) {
        clock += 1 / RATE
        hertz = target + (hertz - target) * approach
        const late = Math.min(1, Math.max(0, (i / RATE - 0.18) / 0.25))
        const step = (hertz * (1 + 0.009 * late * sine(clock * 5.1))) / RATE
        phase += step
        if (phase >= 1) phase -= 1
        if (i % 32 === 0) filter.tune(patch.cutoff * (0.7 + 0.5 * loud), 0.9)
        const reed = saw(phase, step) * 0.6 + pulse(phase, step, 0.32) * 0.4
        filter.tick(triangle(phase) * (1 - patch.reed) + reed * patch.reed)
        const rise = note.slide ? 1 : Math.min(1, i / attack)
        const fall = i < held ? 1 : (1 - (i - held) / release) ** 2
        // A tied note swells to its own loudness in a few milliseconds instead of jumping.
        loud += (note.velocity - loud) * (note.slide ? 0.004 : 1)
        const sample = filter.low * rise * fall * loud * 0.8
        out.left[begin + i]! += sample
        out.right[begin + i]! += sample
      }
    }
  }
}
