/** Samples a second, everywhere in the synthesiser. */
export const RATE = 44_100

/** Two channels of equal length, full scale at 1. */
export interface Stereo {
  left: Float32Array
  right: Float32Array
}

/** Silence of a length in samples. */
export function silence(samples: number): Stereo {
  return { left: new Float32Array(samples), right: new Float32Array(samples) }
}

/** The stretches of a recording where anything sounds, as views into it; pauses under a third of a second belong to them. */
export function soundingSpans(sound: Stereo): { at: number; span: Stereo }[] {
  const block = 2048
  const spans: { from: number; to: number }[] = []
  for (let from = 0; from < sound.left.length; from += block) {
    const to = Math.min(from + block, sound.left.length)
    let sounds = false
    for (let i = from; i < to && !sounds; i++) sounds = sound.left[i] !== 0 || sound.right[i] !== 0
    if (!sounds) continue
    const last = spans.at(-1)
    if (last && from - last.to < 7 * block) last.to = to
    else spans.push({ from, to })
  }
  return spans.map(({ from, to }) => {
    // One more block for what a filter or a chorus rings on.
    const end = Math.min(to + block, sound.left.length)
    return { at: from, span: { left: sound.left.subarray(from, end), right: sound.right.subarray(from, end) } }
  })
}

/** A note's place in time in whole samples. */
export function samplesIn(seconds: number): number {
  return Math.round(seconds * RATE)
}

/** Decibels as a factor. */
export function fromDb(db: number): number {
  return 10 ** (db / 20)
}

/** Equal-power gains for a position from -1 (left) to 1 (right); the centre is 0.707 on both sides. */
export function panGains(pan: number): [left: number, right: number] {
  const angle = ((pan + 1) * Math.PI) / 4
  return [Math.cos(angle), Math.sin(angle)]
}

/** Adds `source` onto `target` from a sample on; what reaches past the end is dropped. */
export function addInto(target: Stereo, source: Stereo, gain = 1, at = 0): void {
  const count = Math.min(source.left.length, target.left.length - at)
  for (let i = Math.max(0, -at); i < count; i++) {
    target.left[at + i]! += source.left[i]! * gain
    target.right[at + i]! += source.right[i]! * gain
  }
}

/** Adds a mono recording at a position between the loudspeakers. */
export function addMono(target: Stereo, source: Float32Array, gain: number, pan: number, at: number): void {
  const [left, right] = panGains(pan)
  const count = Math.min(source.length, target.left.length - at)
  for (let i = Math.max(0, -at); i < count; i++) {
    const sample = source[i]! * gain
    target.left[at + i]! += sample * left
    target.right[at + i]! += sample * right
  }
}
