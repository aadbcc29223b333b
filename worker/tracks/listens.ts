import { heardAfterSeconds } from '../contract/tracks'
import { type Millis, SECOND } from '../lib/clock'
import { seal, unseal } from '../lib/signature'
import { limits } from '../limits'

/**
 * One listening of one track: what the audio cookie says. The server writes nothing when audio is fetched; it signs
 * who fetched what and when, and a later stream report is believed by the age of that signature (ruling 17).
 *
 * How a listen lives:
 * 1. The first fetch of a track's beginning starts it: `startedAt` is that instant.
 * 2. Seeking, pausing and buffering make many more fetches. While the listen is unspent they leave it alone, so the
 *    clock neither restarts (an honest listener would never get there) nor can be wound forward.
 * 3. A report of a listen that is old enough spends it: the answer sets the same listen marked spent. A spent listen
 *    proves nothing any more, so that the rest of the same playing is not paid or counted again.
 * 4. The next fetch of the track's beginning after that starts a new listen, with a new start. Fetches further in
 *    belong to the playing that was reported and start nothing.
 *
 * A client that throws away step 3's cookie and reports the old one again meets the unique key (listener, track,
 * start) of stream_reports; one that starts listen after listen meets its rule of one play per length of the track.
 */
export type Listen = {
  trackId: number
  startedAt: Millis
  /** `u<user id>` of a supporter; `v<random>` of a visitor, the same for all tracks that the browser holds a listen of. */
  listener: string
  spent: boolean
}

const PURPOSE = 'listen'
const SHAPE = /^(\d{1,15})\.(\d{1,15})\.(u\d+|v[\w-]{8,64})\.(open|spent)$/

/** A listen as the cookie's value: signed, so that only the server can make one. */
export function sealListen(secret: string, { trackId, startedAt, listener, spent }: Listen): Promise<string> {
  return seal(secret, PURPOSE, `${trackId}.${startedAt}.${listener}.${spent ? 'spent' : 'open'}`)
}

/** The listen in a cookie's value; null when it is forged, malformed or too old to be reported. */
export async function unsealListen(secret: string, sealed: string | undefined, at: Millis): Promise<Listen | null> {
  const value = sealed === undefined ? null : await unseal(secret, PURPOSE, sealed)
  const [, trackId, startedAt, listener, state] = (value && SHAPE.exec(value)) || []
  if (!trackId || !startedAt || !listener) return null
  const listen = { trackId: Number(trackId), startedAt: Number(startedAt), listener, spent: state === 'spent' }
  const age = at - listen.startedAt
  return age >= 0 && age < limits.audioCookieSeconds * SECOND ? listen : null
}

/**
 * The listen that a fetch of a track's beginning starts, or null when the one that stands goes on.
 * `standing` is this browser's listen of this very track, `others` its listens of other tracks.
 */
export function listenStarted({
  trackId,
  userId,
  standing,
  others,
  at,
}: {
  trackId: number
  userId: number | null
  standing: Listen | null
  others: readonly (Listen | null)[]
  at: Millis
}): Listen | null {
  const known = [standing, ...others].find((listen) => listen?.listener.startsWith('v'))?.listener
  const listener = userId === null ? (known ?? `v${crypto.randomUUID()}`) : `u${userId}`
  // Another listener's unspent listen (the person logged in or out in between) is not this one's to go on with.
  if (standing && !standing.spent && standing.listener === listener) return null
  return { trackId, startedAt: at, listener, spent: false }
}

/** True when a listen shows that its track was heard by `at`: 30 seconds, or half of a shorter track. */
export function isHeard(listen: Listen, durationSeconds: number, at: Millis): boolean {
  return !listen.spent && at - listen.startedAt >= heardAfterSeconds(durationSeconds) * SECOND
}
