import { sway } from './delay.ts'
import { Biquad, Svf } from './filter.ts'
import { sine } from './osc.ts'
import type { Mix, Song } from './score.ts'
import { addInto, fromDb, panGains, RATE, type Stereo, samplesIn, silence, soundingSpans } from './stereo.ts'
import type { Timeline } from './timeline.ts'

/** The three places a channel's sound goes. */
export interface Desk {
  dry: Stereo
  room: Stereo
  echo: Stereo
}

export function openDesk(samples: number): Desk {
  return { dry: silence(samples), room: silence(samples), echo: silence(samples) }
}

/** Shapes a channel in place and adds it to the desk. `pump` is the ducking curve of `pumpOf`. */
export function strip(desk: Desk, channel: Stereo, mix: Mix, pump: Float32Array): void {
  const [left, right] = panGains(mix.pan ?? 0)
  const gain = fromDb(mix.gain) * Math.SQRT2
  const duck = mix.duck ?? 0
  const depth = (mix.tremolo ?? 0) * 0.5
  for (const { at, span } of soundingSpans(channel)) {
    for (const samples of [span.left, span.right]) {
      if (mix.highpass) new Biquad('highpass', mix.highpass).run(samples)
      if (mix.lowpass) new Biquad('lowpass', mix.lowpass).run(samples)
    }
    if (mix.chorus) sway(span, { seconds: 0.011, depth: 0.0028, hertz: 0.55, mix: mix.chorus * 0.5, spread: 0.27 })
    for (let i = 0; i < span.left.length; i++) {
      const level = gain * (1 - duck * pump[at + i]!)
      const swing = depth === 0 ? 0 : depth * sine(((at + i) / RATE) * 4.6)
      span.left[i]! *= level * left * (1 + swing)
      span.right[i]! *= level * right * (1 - swing)
    }
    addInto(desk.dry, span, 1, at)
    if (mix.room) addInto(desk.room, span, mix.room, at)
    if (mix.echo) addInto(desk.echo, span, mix.echo, at)
  }
}

/** How hard the kick is pressing at each sample, 0 to 1: down in 4 ms, held 35 ms, back over about `release` seconds. */
export function pumpOf(kickTimes: readonly number[], samples: number, release: number): Float32Array {
  const curve = new Float32Array(samples)
  const [down, hold] = [samplesIn(0.004), samplesIn(0.035)]
  for (const time of kickTimes) {
    const at = samplesIn(time)
    for (let i = -down; at + i < samples; i++) {
      if (at + i < 0) continue
      const press = i < 0 ? 1 + i / down : i < hold ? 1 : Math.exp(-(i - hold) / (release * 0.4 * RATE))
      if (i > 0 && press < 0.002) break
      if (press > curve[at + i]!) curve[at + i] = press
    }
  }
  return curve
}

/** The band through each section's moving low-pass; sections without one pass untouched. In place. */
export function colour(song: Stereo, timeline: Timeline): void {
  for (const { section, start, steps } of timeline.placed) {
    if (!section.tone) continue
    const [first, last] = section.tone
    const from = samplesIn(timeline.timeOf(start))
    const to = Math.min(song.left.length, samplesIn(timeline.timeOf(start + steps)))
    // The last section stays behind its filter while it rings out.
    const isLast = start + steps === timeline.steps
    const end = isLast ? song.left.length : to
    for (const samples of [song.left, song.right]) {
      const filter = new Svf()
      for (let i = from; i < end; i++) {
        const x = Math.min(1, (i - from) / (to - from))
        if ((i - from) % 32 === 0) filter.tune(first * (last / first) ** x, 0.8)
        filter.tick(samples[i]!)
        // The last tenth of a second crosses over to the open band, so that the change does not click.
        const open = isLast ? 0 : Math.max(0, 1 - (to - i) / 4410)
        samples[i] = filter.low * (1 - open) + samples[i]! * open
      }
    }
  }
}

/** Every section at its own level, with 40 ms between. In place. */
export function ride(sound: Stereo, song: Song, timeline: Timeline): void {
  const ramp = samplesIn(0.04)
  let before = fromDb(song.sections[0]?.level ?? 0)
  for (const { section, start, steps } of timeline.placed) {
    const from = samplesIn(timeline.timeOf(start))
    const isLast = start + steps === timeline.steps
    const to = isLast ? sound.left.length : samplesIn(timeline.timeOf(start + steps))
    const level = fromDb(section.level ?? 0)
    for (let i = from; i < Math.min(to, sound.left.length); i++) {
      const gain = i - from < ramp ? before + ((level - before) * (i - from)) / ramp : level
      sound.left[i]! *= gain
      sound.right[i]! *= gain
    }
    before = level
  }
}
