/** Repeatable randomness (mulberry32): the same seed draws the same demo, so that a fresh demo is always this one. */
export function randomFrom(seed: number) {
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
    /** A whole number in [low, high]. */
    whole: (low: number, high: number): number => low + Math.floor(next() * (high - low + 1)),
    /** One of a list. */
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
    /** A new order of a list. */
    shuffled<T>(list: readonly T[]): T[] {
      const result = [...list]
      for (let i = result.length - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1))
        const held = result[i] as T
        result[i] = result[j] as T
        result[j] = held
      }
      return result
    },
  }
}

export type Random = ReturnType<typeof randomFrom>
