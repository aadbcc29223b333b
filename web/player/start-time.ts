// A start time is a position in a track, in links like `/music/a-record/a-song?t=83`.

/** The seconds of `?t=`; null unless they are a whole number within the track. */
export function parseStartTime(search: string, durationSeconds: number): number | null {
  const value = new URLSearchParams(search).get('t') ?? ''
  return /^\d{1,6}$/.test(value) && Number(value) < durationSeconds ? Number(value) : null
}

/** The seconds of '1:23' or '83'; null if the text is not a time within the track. */
export function parseTimestamp(text: string, durationSeconds: number): number | null {
  const [, minutes = '0', seconds] = /^(?:(\d{1,4}):(?=[0-5]\d$))?(\d{1,6})$/.exec(text.trim()) ?? []
  const total = Number(minutes) * 60 + Number(seconds)
  return seconds !== undefined && total < durationSeconds ? total : null
}

/** The URL of a track's page whose Play button starts at `seconds`; null starts at the beginning. */
export const urlAtTime = (path: string, seconds: number | null): string =>
  `${location.origin}${path}${seconds ? `?t=${seconds}` : ''}`
