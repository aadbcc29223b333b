import { expect, test } from 'vitest'
import { strengthOf } from './strength'

test.each([
  ['', 0],
  ['seven77', 0],
  ['aaaaaaaa', 1],
  ['12345678', 1],
  ['password99', 1],
  ['tangerin', 2],
  ['gulf pelican', 3],
  ['seven golden lanterns', 4],
])('%o reads as %i of 4', (password, strength) => {
  expect(strengthOf(password)).toBe(strength)
})
