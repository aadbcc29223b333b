import type { Lyrics } from './releases'

/** `[mm:ss]`, `[mm:ss.xx]` or `[mm:ss.xxx]`; some files have a colon instead of the dot. */
const TIME_TAG = /\[(\d{1,3}):([0-5]\d)(?:[.:](\d{1,3}))?\]/g
const LEADING_TAGS = /^(?:\[[^\]]*\]\s*)*/
/** `[ar:Artist]` and other tags about the file; `[offset:±ms]` shifts the times below it. */
const METADATA_TAG = /^\[([a-z#]+):(.*)\]$/i

/** A line of LRC that cannot be read; `line` counts from 1. */
type LyricsError = { line: number; message: string }

/** Whether a text has time tags and must be valid LRC. */
export const isTimed = (text: string) => text.split('\n').some((line) => /^\s*\[\d+:/.test(line))

/**
 * Reads plain lyrics or LRC (a line may have several time tags). Lines are sorted by time. Errors name lines of LRC
 * without a time, with a malformed time, or with a time after the track's end.
 */
export function parseLyrics(text: string, durationSeconds: number): { lyrics: Lyrics; errors: LyricsError[] } {
  if (!isTimed(text)) return { lyrics: { plain: text.trim(), lines: [] }, errors: [] }
  const lines: Lyrics['lines'] = []
  const errors: LyricsError[] = []
  let offsetSeconds = 0
  for (const [index, rawLine] of text.split('\n').entries()) {
    const line = rawLine.trim()
    if (line === '') continue
    const addError = (message: string) => errors.push({ line: index + 1, message })
    const [, tag, value = ''] = METADATA_TAG.exec(line) ?? []
    if (tag) {
      if (tag.toLowerCase() === 'offset') offsetSeconds = Number(value) / 1000 || 0
      continue
    }
    const tags = LEADING_TAGS.exec(line)?.[0] ?? ''
    const lyric = line.slice(tags.length).trim()
    const times = [...tags.matchAll(TIME_TAG)]
    // There must be a time, and each bracket before the text must hold one.
    if (times.length === 0 || times.length !== tags.split('[').length - 1) {
      addError(
        tags === ''
          ? 'A line begins with its time, such as [01:23.45].'
          : 'This time cannot be read. Write it like [01:23.45].',
      )
      continue
    }
    const seconds = times.map(
      ([, minutes, whole, fraction]) =>
        Number(minutes) * 60 + Number(whole) + Number(`0.${fraction ?? 0}`) - offsetSeconds,
    )
    if (Math.max(...seconds) > durationSeconds) addError('This time is after the end of the track.')
    for (const at of seconds) lines.push({ at: Math.max(0, Math.round(at * 1000) / 1000), text: lyric })
  }
  lines.sort((a, b) => a.at - b.at)
  return { lyrics: { plain: lines.map((timedLine) => timedLine.text).join('\n'), lines }, errors }
}

/** The lyrics as LRC, or as plain text if they are not timed. */
export function formatLyrics({ plain, lines }: Lyrics): string {
  if (lines.length === 0) return plain
  return lines.map(({ at, text }) => `[${formatTime(at)}]${text}`).join('\n')
}

function formatTime(seconds: number): string {
  const hundredths = Math.round(seconds * 100)
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  const minutes = twoDigits(Math.floor(hundredths / 6000))
  return `${minutes}:${twoDigits(Math.floor(hundredths / 100) % 60)}.${twoDigits(hundredths % 100)}`
}
