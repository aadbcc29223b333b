import { expect, test } from 'vitest'
import { countsAsStream, emptyListening, endInterval, type Listening, playedSeconds, recordPosition } from './listening'

/** Listens to an interval with a position event every 250 ms. */
const play = (from: number, to: number, start: Listening = emptyListening) => {
  let state = start
  for (let position = from; position <= to; position += 0.25) state = recordPosition(state, position)
  return state
}

const listenedFor = (seconds: number): Listening => ({ intervals: [[0, seconds]], position: null })

test('counts seconds played', () => {
  expect(playedSeconds(play(0, 12))).toBeCloseTo(12)
})

test('does not count a seek forward', () => {
  const afterSeek = endInterval(play(0, 3))
  expect(playedSeconds(play(160, 162, afterSeek))).toBeCloseTo(5)
})

test('does not count a jump without a seek event', () => {
  expect(playedSeconds(recordPosition(play(0, 3), 90))).toBeCloseTo(3)
})

test('counts a repeated interval once', () => {
  let looped = emptyListening
  for (let loop = 0; loop < 3; loop++) looped = play(0, 10, endInterval(looped))
  expect(playedSeconds(looped)).toBeCloseTo(10)
  expect(countsAsStream(looped, 180)).toBe(false)
  expect(countsAsStream(play(10, 30, looped), 180)).toBe(true)
})

test('merges overlapping intervals', () => {
  const separate = play(0, 10, endInterval(play(100, 110)))
  expect(playedSeconds(separate)).toBeCloseTo(20)
  const overlapping = play(5, 15, endInterval(separate))
  expect(playedSeconds(overlapping)).toBeCloseTo(25)
  expect(playedSeconds(play(0, 120, endInterval(overlapping)))).toBeCloseTo(120)
})

test('counts a long track after 30 seconds', () => {
  expect(countsAsStream(listenedFor(29.9), 167)).toBe(false)
  expect(countsAsStream(listenedFor(30), 167)).toBe(true)
  expect(countsAsStream(listenedFor(29.9), 40)).toBe(false)
})

test('counts a short track after half of it', () => {
  expect(countsAsStream(listenedFor(9.9), 20)).toBe(false)
  expect(countsAsStream(listenedFor(10), 20)).toBe(true)
})

test('never counts a track of unknown length', () => {
  expect(countsAsStream(listenedFor(40), 0)).toBe(false)
})
