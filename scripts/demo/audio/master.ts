import { Biquad } from './filter.ts'
import { loudness } from './loudness.ts'
import { fromDb, RATE, type Stereo } from './stereo.ts'

/** Where the level and the peaks of every song come to rest. */
export const TARGET_LUFS = -14
/** Sample ceiling; MP3 coding adds up to about 1.2 dB, which must stay under -1 dBFS. */
export const CEILING_DB = -2.5

/** The last hand on a song, in place: rumble and air, glue, soft clip, level, limiter, faded edges. */
export function master(song: Stereo, fadeOutSeconds: number): void {
  for (const samples of [song.left, song.right]) {
    new Biquad('highpass', 27).run(samples)
    new Biquad('peak', 320, 0.8, -1.2).run(samples)
    new Biquad('peak', 2900, 0.6, 2).run(samples)
    new Biquad('highshelf', 9000, 0.7, 2).run(samples)
  }
  glue(song)
  // The second pass repairs what the soft clip took from the first.
  for (let pass = 0; pass < 2; pass++) {
    const gain = fromDb(TARGET_LUFS - loudness(song))
    for (const samples of [song.left, song.right]) {
      for (let i = 0; i < samples.length; i++) samples[i] = softClip(samples[i]! * gain)
    }
  }
  limit(song, fromDb(CEILING_DB))
  fade(song, fadeOutSeconds)
}

/** Straight up to 0.6, then bending towards 1. */
function softClip(x: number): number {
  const size = Math.abs(x)
  return size < 0.6 ? x : Math.sign(x) * (0.6 + 0.4 * Math.tanh((size - 0.6) / 0.4))
}

/** A slow two-to-one compressor on both channels together; about 2 dB at most in the hooks. */
function glue(song: Stereo): void {
  const block = 256
  const threshold = 10 ** (-17 / 10)
  let power = 0
  let before = 1
  for (let start = 0; start < song.left.length; start += block) {
    const end = Math.min(start + block, song.left.length)
    let sum = 0
    for (let i = start; i < end; i++) sum += song.left[i]! ** 2 + song.right[i]! ** 2
    const now = sum / (2 * (end - start))
    power += (now - power) * (now > power ? 0.12 : 0.02)
    const gain = power > threshold ? (threshold / power) ** 0.22 : 1
    for (let i = start; i < end; i++) {
      const g = before + ((gain - before) * (i - start)) / (end - start)
      song.left[i]! *= g
      song.right[i]! *= g
    }
    before = gain
  }
}

/** A limiter that looks ahead, because it knows the whole song: no sample passes `ceiling`. */
export function limit(song: Stereo, ceiling: number): void {
  const block = 32
  const blocks = Math.ceil(song.left.length / block)
  const need = new Float32Array(blocks + 1).fill(1)
  for (let b = 0; b < blocks; b++) {
    let peak = 0
    const end = Math.min((b + 1) * block, song.left.length)
    for (const samples of [song.left, song.right]) {
      for (let i = b * block; i < end; i++) {
        const here = Math.abs(samples[i]!)
        // The middle between two samples by a cubic: most of what a converter would overshoot.
        const between =
          Math.abs(9 * (samples[i]! + (samples[i + 1] ?? 0)) - (samples[i - 1] ?? 0) - (samples[i + 2] ?? 0)) / 16
        peak = Math.max(peak, here, between)
      }
    }
    need[b] = Math.min(1, ceiling / Math.max(peak, 1e-9))
  }
  // Gains stand on the edges of blocks and never exceed what either neighbour needs.
  const edges = new Float32Array(blocks + 1)
  const recover = block / RATE / 0.12
  for (let e = 0; e <= blocks; e++) {
    const raw = Math.min(need[e]!, need[Math.max(0, e - 1)]!)
    edges[e] = e === 0 ? raw : Math.min(raw, edges[e - 1]! + (1 - edges[e - 1]!) * recover)
  }
  for (let e = blocks - 1; e >= 0; e--) edges[e] = Math.min(edges[e]!, edges[e + 1]! + 0.06)
  for (let i = 0; i < song.left.length; i++) {
    const b = (i / block) | 0
    const g = edges[b]! + (edges[b + 1]! - edges[b]!) * (i / block - b)
    song.left[i]! *= g
    song.right[i]! *= g
  }
}

/** Ten milliseconds in, a curved fade out, so that neither edge clicks. */
function fade(song: Stereo, outSeconds: number): void {
  const count = song.left.length
  const head = Math.round(RATE * 0.01)
  const tail = Math.round(RATE * outSeconds)
  for (const samples of [song.left, song.right]) {
    for (let i = 0; i < head; i++) samples[i]! *= i / head
    for (let i = 0; i < tail && i < count; i++) samples[count - 1 - i]! *= (i / tail) ** 1.5
  }
}
