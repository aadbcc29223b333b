import { heardAfterSeconds } from '../../worker/contract/tracks'

/** From where to where, in seconds of the track. */
type Passage = readonly [from: number, to: number]

/** How much of a track has truly been heard: its passages, apart from each other, and where the playhead was last. */
export type Listening = { passages: readonly Passage[]; at: number | null }

export const notListening: Listening = { passages: [], at: null }

/** A step between two looks longer than this, in seconds, was a jump and not music. */
const LONGEST_STEP = 5

/** The playhead moved to `position` seconds while the music played. */
export function listen({ passages, at }: Listening, position: number): Listening {
  const step = at === null ? 0 : position - at
  return {
    passages: at !== null && step > 0 && step <= LONGEST_STEP ? withOne(passages, [at, position]) : passages,
    at: position,
  }
}

/** The playhead is being moved by hand, or the music stopped: what comes next is measured from there. */
export function interrupt({ passages }: Listening): Listening {
  return { passages, at: null }
}

/** Seconds of the track that were heard, each once however often it was played. */
export function heardSeconds({ passages }: Listening): number {
  return passages.reduce((sum, [from, to]) => sum + to - from, 0)
}

/** True once the track counts as streamed, by the worker's own rule and its own length of the track, in seconds. */
export function countsAsStream(listening: Listening, duration: number): boolean {
  return duration > 0 && heardSeconds(listening) >= heardAfterSeconds(duration)
}

/** One more passage; those that it touches become one with it. */
function withOne(passages: readonly Passage[], [from, to]: Passage): readonly Passage[] {
  const isApart = ([a, b]: Passage) => b < from || a > to
  const touched = passages.filter((one) => !isApart(one))
  return [
    ...passages.filter(isApart),
    [Math.min(from, ...touched.map(([a]) => a)), Math.max(to, ...touched.map(([, b]) => b))],
  ]
}
