/** Seeded chance: the same seed draws the same picture on every machine. */
export type Random = {
  /** A number from 0 up to 1. */
  next: () => number
  between: (low: number, high: number) => number
  chance: (probability: number) => boolean
  pick: <T>(from: readonly [T, ...T[]]) => T
}

/** Mulberry32: thirty-two bits of state, ample for illustrations. */
export function random(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick: (from) => from[Math.floor(next() * from.length)] ?? from[0],
  }
}

/** Smooth one-dimensional noise from -1 to 1 with features about one unit long. */
export function waver(seed: number): (at: number) => number {
  const value = (index: number): number => random(seed * 7919 + index * 104729).next() * 2 - 1
  return (at) => {
    const index = Math.floor(at)
    const share = at - index
    const eased = share * share * (3 - 2 * share)
    return value(index) * (1 - eased) + value(index + 1) * eased
  }
}
