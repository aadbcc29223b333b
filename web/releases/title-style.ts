import type { CSSProperties } from 'react'
import { wordEms } from '../lib/word-widths'

/** Letter spacing of `font-display`. */
const TRACKING_EM = -0.025
/** Width of a space between words. */
const SPACE_EMS = 0.25

/**
 * Widths of the title in em, from which CSS computes the largest font size that fits: `--ems-1` on one line, `--ems-2`
 * on at most two, `--ems` on at most three.
 */
export function titleStyle(title: string): CSSProperties {
  const words = title
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => wordEms(word, TRACKING_EM))
  const emsOn = (lines: number) => longestLineEms(words, lines).toFixed(2)
  return { '--ems-1': emsOn(1), '--ems-2': emsOn(2), '--ems': emsOn(3) } as CSSProperties
}

/** Width of the longest line when the words are broken into lines as evenly as possible. */
function longestLineEms(words: readonly number[], lines: number): number {
  const totalEms = words.reduce((sum, ems) => sum + ems, SPACE_EMS * (words.length - 1))
  if (lines === 1 || words.length < 2) return totalEms
  const breaks = words.slice(1).map((_, index) => index + 1)
  return Math.min(
    ...breaks.map((at) => Math.max(longestLineEms(words.slice(0, at), 1), longestLineEms(words.slice(at), lines - 1))),
  )
}
