import { minStreamSeconds } from '../../worker/contract/tracks'

/** Seconds of the track. */
type Interval = readonly [from: number, to: number]

/** The parts of a track that were heard, without overlaps, and the last playhead position. */
export type Listening = { intervals: readonly Interval[]; position: number | null }

export const emptyListening: Listening = { intervals: [], position: null }

/** A longer step between two updates was a seek. */
const MAX_STEP_SECONDS = 5

/** The playhead moved to `position` seconds while playing. */
export function listen({ intervals, position: previous }: Listening, position: number): Listening {
  const step = previous === null ? 0 : position - previous
  return {
    intervals:
      previous !== null && step > 0 && step <= MAX_STEP_SECONDS
        ? addInterval(intervals, [previous, position])
        : intervals,
    position,
  }
}

/** The visitor seeks or playback stopped: the next update starts a new interval. */
export function interrupt({ intervals }: Listening): Listening {
  return { intervals, position: null }
}

/** Distinct seconds heard; repeats count once. */
export function heardSeconds({ intervals }: Listening): number {
  return intervals.reduce((sum, [from, to]) => sum + to - from, 0)
}

/** True once the track counts as streamed by the worker's rule; `duration` in seconds. */
export function countsAsStream(listening: Listening, duration: number): boolean {
  return duration > 0 && heardSeconds(listening) >= minStreamSeconds(duration)
}

/** Adds an interval and merges those it touches. */
function addInterval(intervals: readonly Interval[], [from, to]: Interval): readonly Interval[] {
  const isApart = ([a, b]: Interval) => b < from || a > to
  const touched = intervals.filter((interval) => !isApart(interval))
  return [
    ...intervals.filter(isApart),
    [Math.min(from, ...touched.map(([a]) => a)), Math.max(to, ...touched.map(([, b]) => b))],
  ]
}
