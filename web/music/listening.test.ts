import { expect, test } from 'vitest'
import { countsAsStream, interrupt, type Listening, listen, notListening } from './listening'

const play = (from: number, to: number, start: Listening = notListening) => {
  let state = start
  for (let at = from; at <= to; at += 0.25) state = listen(state, at)
  return state
}

test('seconds count as they are played', () => {
  expect(play(0, 12).heard).toBeCloseTo(12)
})

test('a seek forward counts nothing', () => {
  const sought = interrupt(play(0, 3))
  expect(play(160, 162, sought).heard).toBeCloseTo(5)
})

test('a jump without a seek event counts nothing', () => {
  expect(listen(play(0, 3), 90).heard).toBeCloseTo(3)
})

test('hearing a passage again counts again, going back does not', () => {
  expect(play(0, 4, listen(play(0, 4), 0)).heard).toBeCloseTo(8)
})

test('a long track counts after 30 seconds', () => {
  expect(countsAsStream({ heard: 29.9, at: null }, 167)).toBe(false)
  expect(countsAsStream({ heard: 30, at: null }, 167)).toBe(true)
  expect(countsAsStream({ heard: 29.9, at: null }, 40)).toBe(false)
})

test('a shorter track counts after its half', () => {
  expect(countsAsStream({ heard: 9.9, at: null }, 20)).toBe(false)
  expect(countsAsStream({ heard: 10, at: null }, 20)).toBe(true)
})

test('a track of unknown length does not count', () => {
  expect(countsAsStream({ heard: 40, at: null }, 0)).toBe(false)
})
