import { Biquad } from './filter.ts'
import { RATE, type Stereo } from './stereo.ts'

/** Integrated loudness in LUFS after ITU-R BS.1770-4: K-weighting, 400 ms blocks, both gates. */
export function loudness(sound: Stereo): number {
  const hop = Math.round(RATE * 0.1)
  const hops = Math.floor(sound.left.length / hop)
  const energy = new Float64Array(hops)
  for (const samples of [sound.left, sound.right]) {
    const shelf = new Biquad('highshelf', 1681.97, 0.7072, 4)
    const rumble = new Biquad('highpass', 38.135, 0.5003)
    for (let h = 0; h < hops; h++) {
      let sum = 0
      for (let i = h * hop; i < (h + 1) * hop; i++) {
        const y = rumble.tick(shelf.tick(samples[i]!))
        sum += y * y
      }
      energy[h]! += sum / hop
    }
  }
  const blocks: number[] = []
  for (let h = 0; h + 4 <= hops; h++) blocks.push((energy[h]! + energy[h + 1]! + energy[h + 2]! + energy[h + 3]!) / 4)
  const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / Math.max(1, list.length)
  const lufs = (power: number) => -0.691 + 10 * Math.log10(Math.max(power, 1e-12))
  const heard = blocks.filter((power) => lufs(power) > -70)
  const gate = lufs(mean(heard)) - 10
  return lufs(mean(heard.filter((power) => lufs(power) > gate)))
}
