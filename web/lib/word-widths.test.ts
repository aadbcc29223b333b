import { expect, test } from 'vitest'
import { nameLines, wordEms } from './word-widths'

test('puts each word of the name on a line', () => {
  expect(nameLines('  Mo  van der Weide ').map(({ word }) => word)).toEqual(['Mo', 'van', 'der', 'Weide'])
})

test('estimates wide characters as wider, ignoring case', () => {
  expect(wordEms('MWM')).toBeGreaterThan(wordEms('ABC'))
  expect(wordEms('ABC')).toBeGreaterThan(wordEms('III'))
  expect(wordEms('mwm')).toBe(wordEms('MWM'))
})

test('the estimated width is never below the rendered width', () => {
  // Widths in ems without letter spacing, measured in Chromium.
  expect(wordEms('SHORELINE', 0)).toBeGreaterThan(7.695)
  expect(wordEms('CAUSEWAY', 0)).toBeGreaterThan(7.461)
  expect(wordEms('HONGQON', 0)).toBeGreaterThan(7.04)
})

test('ignores accents', () => {
  expect(wordEms('É')).toBe(wordEms('E'))
})

test('a word is at least one em wide', () => {
  expect(wordEms('I')).toBe(1)
})
