import type { CSSProperties } from 'react'
import { wordEms } from '../home/name-size'

/** Lines that a long title is set in. */
const MAX_LINES = 3

/** `--ems`: the width of the title's longest line, so that CSS can set it as large as it fits. */
export function titleStyle(title: string): CSSProperties {
  const words = title.split(/\s+/).filter(Boolean).map(wordEms)
  const total = words.reduce((sum, ems) => sum + ems, 0)
  return { '--ems': Math.max(...words, total / MAX_LINES).toFixed(2) } as CSSProperties
}
