import { minStreamSeconds } from '../../worker/contract/tracks'

/** From where to where, in seconds of the track. */
type Interval = readonly [from: number, to: number]

/** How much of a track has truly been heard: its passages, apart from each other, and where the playhead was last. */
export type Listening = { intervals: readonly Interval[]; position: number | null }

export const emptyListening: Listening = { intervals: [], position: null }

/** A step between two looks longer than this, in seconds, was a jump and not music. */
const MAX_STEP_SECONDS = 5

/** The playhead moved to `position` seconds while the music played. */
export function listen({ intervals: passages, position: at }: Listening, position: number): Listening {
  const step = at === null ? 0 : position - at
  return {
    intervals: at !== null && step > 0 && step <= MAX_STEP_SECONDS ? addInterval(passages, [at, position]) : passages,
    position,
  }
}

/** The playhead is being moved by hand, or the music stopped: what comes next is measured from there. */
export function interrupt({ intervals: passages }: Listening): Listening {
  return { intervals: passages, position: null }
}

/** Seconds of the track that were heard, each once however often it was played. */
export function heardSeconds({ intervals: passages }: Listening): number {
  return passages.reduce((sum, [from, to]) => sum + to - from, 0)
}

/** True once the track counts as streamed, by the worker's own rule and its own length of the track, in seconds. */
export function countsAsStream(listening: Listening, duration: number): boolean {
  return duration > 0 && heardSeconds(listening) >= minStreamSeconds(duration)
}

/** One more passage; those that it touches become one with it. */
function addInterval(passages: readonly Interval[], [from, to]: Interval): readonly Interval[] {
  const isApart = ([a, b]: Interval) => b < from || a > to
  const touched = passages.filter((interval) => !isApart(interval))
  return [
    ...passages.filter(isApart),
    [Math.min(from, ...touched.map(([a]) => a)), Math.max(to, ...touched.map(([, b]) => b))],
  ]
}
