import { RATE } from './stereo.ts'

/** Times in seconds, sustain as a factor. */
export interface Adsr {
  attack: number
  decay: number
  sustain: number
  release: number
}

/** The factor by which a sample shrinks so that a sound loses 60 dB in `seconds`. */
export function decayPerSample(seconds: number): number {
  return Math.exp(-6.9078 / (seconds * RATE))
}

/** The envelope `t` seconds into a note held for `length` seconds; 0 once the release is over. */
export function adsr(t: number, length: number, shape: Adsr): number {
  const held = Math.min(t, length)
  const { attack, decay, sustain } = shape
  let level: number
  if (held < attack) level = held / attack
  else {
    const x = Math.min(1, (held - attack) / decay)
    level = sustain + (1 - sustain) * (1 - x) * (1 - x)
  }
  if (t <= length) return level
  const left = 1 - (t - length) / shape.release
  return left <= 0 ? 0 : level * left * left
}

/** Rounds a buffer's first and last milliseconds, so that no edge clicks. */
export function roundEdges(samples: Float32Array, inSeconds: number, outSeconds: number): void {
  const head = Math.min(samples.length, Math.round(inSeconds * RATE))
  const tail = Math.min(samples.length, Math.round(outSeconds * RATE))
  for (let i = 0; i < head; i++) samples[i]! *= i / head
  for (let i = 0; i < tail; i++) samples[samples.length - 1 - i]! *= i / tail
}
