import { heardAfterSeconds } from '../../worker/contract/tracks'

/** How much of a track has truly been heard: seconds played, and where the playhead was when last looked at. */
export type Listening = { heard: number; at: number | null }

export const notListening: Listening = { heard: 0, at: null }

/** A step between two looks longer than this, in seconds, was a jump and not music. */
const LONGEST_STEP = 5

/** The playhead moved to `position` seconds while the music played. */
export function listen({ heard, at }: Listening, position: number): Listening {
  const step = at === null ? 0 : position - at
  return { heard: step > 0 && step <= LONGEST_STEP ? heard + step : heard, at: position }
}

/** The playhead is being moved by hand, or the music stopped: what comes next is measured from there. */
export function interrupt({ heard }: Listening): Listening {
  return { heard, at: null }
}

/** True once the track counts as streamed, by the worker's own rule and its own length of the track, in seconds. */
export function countsAsStream({ heard }: Listening, duration: number): boolean {
  return duration > 0 && heard >= heardAfterSeconds(duration)
}
