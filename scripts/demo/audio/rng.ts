/** A source of numbers in [0, 1). The same seed gives the same song on every machine. */
export type Rng = () => number

/** Mulberry32, seeded by the FNV-1a hash of a text. */
export function rngFrom(seed: string): Rng {
  let state = 0x811c9dc5
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** White noise in [-1, 1). */
export function noise(rng: Rng): number {
  return rng() * 2 - 1
}

/** A uniform number in [low, high). */
export function between(rng: Rng, low: number, high: number): number {
  return low + (high - low) * rng()
}
