/** A seeded random number generator (mulberry32): every fresh demo gets the same rows. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    /** A real number in [0, 1). */
    next,
    /** A whole number in [min, max]. */
    integer: (min: number, max: number): number => min + Math.floor(next() * (max - min + 1)),
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
    shuffle<T>(items: readonly T[]): T[] {
      const result = [...items]
      for (let i = result.length - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1))
        const swapped = result[i] as T
        result[i] = result[j] as T
        result[j] = swapped
      }
      return result
    },
  }
}

export type Random = ReturnType<typeof createRandom>
