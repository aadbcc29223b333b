import { expect, test } from 'vitest'
import { wordEms } from '../lib/word-widths'
import { titleStyle } from './title-style'

const widths = (title: string) => Object.values(titleStyle(title)).map(Number)
/** Letter spacing of titles. */
const TRACKING_EM = -0.025
const WORD_EMS = wordEms('word', TRACKING_EM)

test('measures a title on one, two and three lines', () => {
  expect(widths('word')).toEqual([WORD_EMS, WORD_EMS, WORD_EMS])
  // A space is 0.25 em wide; on three lines, one line still has two words.
  expect(widths('word word word word')).toEqual(
    [4 * WORD_EMS + 0.75, 2 * WORD_EMS + 0.25, 2 * WORD_EMS + 0.25].map(roundEms),
  )
})

test('breaks lines to minimize the longest line’s width', () => {
  expect(widths('a word word')[1]).toBe(roundEms(wordEms('a', TRACKING_EM) + 0.25 + WORD_EMS))
})

const roundEms = (value: number | undefined) => Number(value?.toFixed(2))
