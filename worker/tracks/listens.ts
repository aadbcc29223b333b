import { minStreamSeconds } from '../contract/tracks'
import { type Millis, SECOND_MS } from '../lib/clock'
import { signValue, verifySignedValue } from '../lib/crypto'
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

const SIGNATURE_PURPOSE = 'listen'
const LISTEN_PATTERN = /^(\d{1,15})\.(\d{1,15})\.(u\d+|v[\w-]{8,64})\.(open|spent)$/

/** A listen as the cookie's value: signed, so that only the server can make one. */
export function signListen(secret: string, { trackId, startedAt, listener, spent }: Listen): Promise<string> {
  return signValue(secret, SIGNATURE_PURPOSE, `${trackId}.${startedAt}.${listener}.${spent ? 'spent' : 'open'}`)
}

/** The listen in a cookie's value; null when it is forged, malformed or too old to be reported. */
export async function verifyListen(secret: string, signed: string | undefined, at: Millis): Promise<Listen | null> {
  const value = signed === undefined ? null : await verifySignedValue(secret, SIGNATURE_PURPOSE, signed)
  const [, trackId, startedAt, listener, state] = (value && LISTEN_PATTERN.exec(value)) || []
  if (!trackId || !startedAt || !listener) return null
  const listen = { trackId: Number(trackId), startedAt: Number(startedAt), listener, spent: state === 'spent' }
  const age = at - listen.startedAt
  return age >= 0 && age < limits.audioCookieTtlSeconds * SECOND_MS ? listen : null
}

/**
 * The listen that a fetch of a track's beginning starts, or null when the one that stands goes on.
 * `current` is this browser's listen of this very track, `others` its listens of other tracks.
 */
export function nextListen({
  trackId,
  userId,
  current,
  others,
  at,
}: {
  trackId: number
  userId: number | null
  current: Listen | null
  others: readonly (Listen | null)[]
  at: Millis
}): Listen | null {
  const visitorId = [current, ...others].find((listen) => listen?.listener.startsWith('v'))?.listener
  const listener = userId === null ? (visitorId ?? `v${crypto.randomUUID()}`) : `u${userId}`
  // Another listener's unspent listen (the person logged in or out in between) is not this one's to go on with.
  if (current && !current.spent && current.listener === listener) return null
  return { trackId, startedAt: at, listener, spent: false }
}

/** True when a listen shows that its track was heard by `at`: 30 seconds, or half of a shorter track. */
export function isHeard(listen: Listen, durationSeconds: number, at: Millis): boolean {
  return !listen.spent && at - listen.startedAt >= minStreamSeconds(durationSeconds) * SECOND_MS
}
