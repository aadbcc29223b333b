import { formatLyrics, isTimed, parseLyrics } from '../../worker/contract/lyrics'

/** `at` in seconds, null until the line is timed. */
type LyricsLine = { text: string; at: number | null }

/** Lines being timed; the next line to time is at `index`, which is `lines.length` after the last one. */
export type LyricsTiming = { lines: readonly LyricsLine[]; index: number }

/** Reads plain lyrics, LRC or a mix. Starts at the first line without a time, or at the first if all have one. */
export function startTiming(text: string, durationSeconds: number): LyricsTiming {
  const { lyrics, errors } = parseLyrics(text, durationSeconds)
  const lines =
    errors.length === 0 && lyrics.lines.length > 0
      ? lyrics.lines
      : text.split('\n').flatMap((line) => readLine(line, durationSeconds))
  const firstUntimed = lines.findIndex(({ at }) => at === null)
  return { lines, index: firstUntimed === -1 ? 0 : firstUntimed }
}

/** The lyrics in a line of text: one entry for each of its times, none if it is empty. Ignores invalid times. */
function readLine(line: string, durationSeconds: number): LyricsLine[] {
  if (isTimed(line)) {
    const { lyrics, errors } = parseLyrics(line, durationSeconds)
    if (errors.length === 0) return lyrics.lines
  }
  const text = line.replace(/^(?:\s*\[[^\]]*\])+/, '').trim()
  return text === '' ? [] : [{ text, at: null }]
}

/** Sets the time of the current line and moves to the next. Clears times that are then out of order. */
export function setLineTime({ lines, index }: LyricsTiming, seconds: number): LyricsTiming {
  if (index >= lines.length) return { lines, index }
  const at = roundToHundredths(seconds)
  const isOutOfOrder = (line: LyricsLine, i: number) => line.at !== null && (i < index ? line.at > at : line.at < at)
  return {
    lines: lines.map((line, i) => {
      if (i === index) return { ...line, at }
      return isOutOfOrder(line, i) ? { ...line, at: null } : line
    }),
    index: index + 1,
  }
}

/** Goes back to the previous line and clears its time. */
export function undoLineTime({ lines, index }: LyricsTiming): LyricsTiming {
  const previous = Math.max(0, index - 1)
  return { lines: lines.map((line, i) => (i === previous ? { ...line, at: null } : line)), index: previous }
}

/** Moves the time of the previous line, at most as far as the times of its neighbors. */
export function shiftLineTime(timing: LyricsTiming, bySeconds: number, durationSeconds: number): LyricsTiming {
  const { lines, index } = timing
  const at = lines[index - 1]?.at
  if (at === null || at === undefined) return timing
  const min = lines[index - 2]?.at ?? 0
  const max = lines[index]?.at ?? durationSeconds
  const shifted = roundToHundredths(Math.min(max, Math.max(min, at + bySeconds)))
  return { index, lines: lines.map((line, i) => (i === index - 1 ? { ...line, at: shifted } : line)) }
}

/** The lines in LRC format; those without a time stay plain. */
export const toLrc = (lines: readonly LyricsLine[]): string =>
  lines.map(({ text, at }) => (at === null ? text : formatLyrics({ plain: text, lines: [{ at, text }] }))).join('\n')

const roundToHundredths = (seconds: number) => Math.round(seconds * 100) / 100
