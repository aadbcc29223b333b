import { expect, test } from 'vitest'
import { nameLines, wordEms } from './name-size'

test('puts each word on a line', () => {
  expect(nameLines('  Mo  van der Weide ').map(({ word }) => word)).toEqual(['Mo', 'van', 'der', 'Weide'])
})

test('counts wide characters as wider, ignoring case', () => {
  expect(wordEms('MWM')).toBeGreaterThan(wordEms('ABC'))
  expect(wordEms('ABC')).toBeGreaterThan(wordEms('III'))
  expect(wordEms('mwm')).toBe(wordEms('MWM'))
})

test('a measured word is never narrower than the font', () => {
  // Widths measured in Chromium.
  expect(wordEms('SHORELINE', 0)).toBeGreaterThan(7.695)
  expect(wordEms('CAUSEWAY', 0)).toBeGreaterThan(7.461)
  expect(wordEms('HONGQON', 0)).toBeGreaterThan(7.04)
})

test('ignores accents', () => {
  expect(wordEms('É')).toBe(wordEms('E'))
})

test('has a minimum width of one em', () => {
  expect(wordEms('I')).toBe(1)
})
