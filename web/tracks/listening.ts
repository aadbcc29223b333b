import type * as z from 'zod/mini'
import { minStreamSeconds, type StreamReport } from '../../worker/contract/tracks'

/** In seconds of the track. */
type Interval = readonly [from: number, to: number]

/** The intervals of a track that were heard, without overlaps, and the last playhead position. */
export type Listening = { intervals: readonly Interval[]; position: number | null }

export const emptyListening: Listening = { intervals: [], position: null }

/** A longer step between two updates is a seek. */
const MAX_STEP_SECONDS = 5

/** Records that the playhead reached `position` (in seconds) while playing. */
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

/** After a seek or pause, the next update starts a new interval. */
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

/** The report of a listen that counts. The worker takes the tier from the session. */
export const buildStreamReport = (trackId: number, userTier = 'bronze'): z.input<typeof StreamReport> => ({
  trackId: String(trackId),
  platform: 'web',
  timestamp: new Date().toISOString(),
  userAgent: navigator.userAgent,
  userTier,
})

/** Adds an interval and merges it with those that it touches. */
function addInterval(intervals: readonly Interval[], [from, to]: Interval): readonly Interval[] {
  const isApart = ([start, end]: Interval) => end < from || start > to
  const touched = intervals.filter((interval) => !isApart(interval))
  return [
    ...intervals.filter(isApart),
    [Math.min(from, ...touched.map(([start]) => start)), Math.max(to, ...touched.map(([, end]) => end))],
  ]
}
