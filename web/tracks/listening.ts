import type * as z from 'zod/mini'
import { minStreamSeconds, type StreamReport } from '../../worker/contract/tracks'

/** In seconds from the start of the track. */
type Interval = readonly [from: number, to: number]

/** The played intervals of a track, without overlaps. `position` in seconds is null at the start of an interval. */
export type Listening = { intervals: readonly Interval[]; position: number | null }

export const emptyListening: Listening = { intervals: [], position: null }

/** A longer step between two updates must be a seek. */
const MAX_STEP_SECONDS = 5

/** Records that the playhead reached `position` (in seconds) while playing. */
export function recordPosition({ intervals, position: previous }: Listening, position: number): Listening {
  if (previous === null) return { intervals, position }
  const step = position - previous
  const isSeek = step <= 0 || step > MAX_STEP_SECONDS
  return { intervals: isSeek ? intervals : addInterval(intervals, [previous, position]), position }
}

/** After a seek or pause, the next update starts a new interval. */
export function endInterval({ intervals }: Listening): Listening {
  return { intervals, position: null }
}

/** Number of distinct seconds that were played. */
export function playedSeconds({ intervals }: Listening): number {
  return intervals.reduce((sum, [from, to]) => sum + to - from, 0)
}

/** Whether the listen counts as a stream by the worker's rule. */
export function countsAsStream(listening: Listening, durationSeconds: number): boolean {
  return durationSeconds > 0 && playedSeconds(listening) >= minStreamSeconds(durationSeconds)
}

/** The report of a listen that counts as a stream. The worker uses only `trackId`. */
export const buildStreamReport = (trackId: number, userTier = 'bronze'): z.input<typeof StreamReport> => ({
  trackId: String(trackId),
  platform: 'web',
  timestamp: new Date().toISOString(),
  userAgent: navigator.userAgent,
  userTier,
})

/** Adds an interval and merges it with those that it touches. */
function addInterval(intervals: readonly Interval[], [from, to]: Interval): readonly Interval[] {
  const isDisjoint = ([start, end]: Interval) => end < from || start > to
  const touched = intervals.filter((interval) => !isDisjoint(interval))
  return [
    ...intervals.filter(isDisjoint),
    [Math.min(from, ...touched.map(([start]) => start)), Math.max(to, ...touched.map(([, end]) => end))],
  ]
}
