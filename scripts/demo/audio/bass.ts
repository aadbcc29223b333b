import { decayPerSample } from './envelope.ts'
import { Svf } from './filter.ts'
import { hertzOf } from './harmony.ts'
import type { Instrument, Note } from './note.ts'
import { saw, sine, triangle } from './osc.ts'
import { RATE, samplesIn } from './stereo.ts'

/** `decay` seconds to silence while held, `drive` the saturation, `glide` seconds of a slide, `punch` the knock at the start. */
export interface SubPatch {
  decay: number
  drive: number
  glide: number
  punch: number
}

/** Where a note stops: its length, cut when the next one begins (both basses are monophonic). */
function stopOf(notes: readonly Note[], index: number): number {
  const note = notes[index]!
  const next = notes[index + 1]
  const end = note.time + note.length
  return next ? Math.min(end, next.time) : end
}

/** The long 808: a sine that knocks, glides and saturates until its overtones carry on small loudspeakers. */
export function sub808(patch: SubPatch): Instrument {
  return (out, notes) => {
    let phase = 0
    let hertz = 0
    let level = 0
    for (const [index, note] of notes.entries()) {
      const target = hertzOf(note.midi)
      const begin = samplesIn(note.time)
      const hold = samplesIn(stopOf(notes, index)) - begin
      // A slide takes over the sounding string: no new attack, no fade between the two.
      const slides = note.slide && index > 0 && note.time - stopOf(notes, index - 1) < 0.001
      const handsOver = notes[index + 1]?.slide === true && notes[index + 1]!.time - stopOf(notes, index) < 0.001
      if (!slides) {
        phase = 0
        hertz = target
        level = note.velocity
      }
      const approach = Math.exp(-1 / (patch.glide * 0.3 * RATE))
      const fall = decayPerSample(patch.decay)
      const fade = samplesIn(0.012)
      let wanted = note.velocity
      for (let i = 0; i < hold && begin + i < out.left.length; i++) {
        hertz = target + (hertz - target) * approach
        const knock = slides ? 0 : patch.punch * Math.exp(-i / (0.018 * RATE))
        phase += (hertz * (1 + knock)) / RATE
        wanted *= fall
        level += (wanted - level) * (slides ? 0.002 : 1)
        const edge = Math.min(1, slides ? 1 : i / 110, handsOver ? 1 : (hold - i) / fade)
        const tone = sine(phase) + 0.12 * sine(phase * 2)
        const sample = Math.tanh(tone * level * patch.drive) * edge * 0.6
        out.left[begin + i]! += sample
        out.right[begin + i]! += sample
      }
    }
  }
}

/** `bite` opens the filter (0 to 1), `saws` mixes saw against triangle (0 to 1), `decay` closes the filter (seconds). */
export interface RoundPatch {
  bite: number
  saws: number
  decay: number
}

/** A fingered bass: triangle and saw over their own sub-octave, through a filter that closes like a plucked string. */
export function roundBass(patch: RoundPatch): Instrument {
  return (out, notes) => {
    const filter = new Svf()
    let phase = 0
    let hertz = 0
    for (const [index, note] of notes.entries()) {
      const target = hertzOf(note.midi)
      const begin = samplesIn(note.time)
      const hold = samplesIn(stopOf(notes, index)) - begin
      if (!(note.slide && hertz > 0)) hertz = target
      const approach = Math.exp(-1 / (0.02 * RATE))
      const fade = samplesIn(0.018)
      for (let i = 0; i < hold && begin + i < out.left.length; i++) {
        hertz = target + (hertz - target) * approach
        const step = hertz / RATE
        phase += step
        if (phase >= 1) phase -= 1
        if (i % 16 === 0) {
          const open = Math.exp(-i / (patch.decay * RATE))
          filter.tune(hertz * (1.6 + (3 + 16 * patch.bite * note.velocity) * open), 0.9)
        }
        filter.tick(triangle(phase) * (1 - patch.saws) + saw(phase, step) * patch.saws * 0.7)
        const edge = Math.min(1, i / 160, (hold - i) / fade)
        const level = note.velocity * (0.55 + 0.45 * Math.exp(-i / (0.5 * RATE)))
        const sample = Math.tanh((filter.low * 1.2 + sine(phase) * 0.5) * level) * edge * 0.6
        out.left[begin + i]! += sample
        out.right[begin + i]! += sample
      }
    }
  }
}
