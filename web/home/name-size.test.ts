import { expect, test } from 'vitest'
import { nameLines, wordEms } from './name-size'

test('a name is set one word a line', () => {
  expect(nameLines('  Mo  van der Weide ').map(({ word }) => word)).toEqual(['Mo', 'van', 'der', 'Weide'])
})

test('wide letters take more than narrow ones, in any case', () => {
  expect(wordEms('MWM')).toBeGreaterThan(wordEms('ABC'))
  expect(wordEms('ABC')).toBeGreaterThan(wordEms('III'))
  expect(wordEms('mwm')).toBe(wordEms('MWM'))
})

test('an accent takes no width', () => {
  expect(wordEms('É')).toBe(wordEms('E'))
})

test('the shortest name is sized like a whole letter', () => {
  expect(wordEms('I')).toBe(1)
})
