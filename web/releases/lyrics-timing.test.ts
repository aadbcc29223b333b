import { expect, test } from 'vitest'
import { setLineTime, shiftLineTime, startTiming, toLrc, undoLineTime } from './lyrics-timing'

const DURATION_SECONDS = 90
const start = (text: string) => startTiming(text, DURATION_SECONDS)

test('timing plain lines in order makes LRC', () => {
  let timing = start('First\n\n  Second\nThird')
  for (const seconds of [1.234, 5, 61.5]) timing = setLineTime(timing, seconds)
  expect(toLrc(timing.lines)).toBe('[00:01.23]First\n[00:05.00]Second\n[01:01.50]Third')
  expect(setLineTime(timing, 70)).toEqual(timing)
})

test('timing partly timed lyrics starts at the first untimed line', () => {
  const timing = start('[ar:Anybody]\n[00:01.00]First\n[00:0x]Second\nThird')
  expect(timing.index).toBe(1)
  expect(timing.lines).toEqual([
    { text: 'First', at: 1 },
    { text: 'Second', at: null },
    { text: 'Third', at: null },
  ])
  expect(toLrc(timing.lines)).toBe('[00:01.00]First\nSecond\nThird')
})

test('timing complete LRC lyrics starts at the first line', () => {
  const timing = start('[00:09.00][00:03.00]Chorus\n[00:05.00]Verse')
  expect(timing.index).toBe(0)
  expect(timing.lines.map(({ text, at }) => [text, at])).toEqual([
    ['Chorus', 3],
    ['Verse', 5],
    ['Chorus', 9],
  ])
})

test('a new time clears other lines’ times that contradict it', () => {
  const { lines } = start('[00:01.00]A\n[00:05.00]B\n[00:09.00]C\n[00:20.00]D')
  const timesAfter = (index: number, seconds: number) =>
    setLineTime({ lines, index }, seconds).lines.map(({ at }) => at)
  expect(timesAfter(1, 10)).toEqual([1, 10, null, 20])
  expect(timesAfter(3, 3)).toEqual([1, null, null, 3])
})

test('undo clears the previous time and goes back', () => {
  const timing = setLineTime(setLineTime(start('A\nB'), 1), 2)
  expect(undoLineTime(timing)).toMatchObject({ index: 1, lines: [{ at: 1 }, { at: null }] })
  expect(undoLineTime(start('A\nB')).index).toBe(0)
})

test('a shifted time stays between its neighbors', () => {
  const timing = setLineTime(setLineTime(start('A\nB\nC'), 1), 2)
  const shifted = (bySeconds: number) => shiftLineTime(timing, bySeconds, DURATION_SECONDS).lines[1]?.at
  expect([shifted(0.1), shifted(-0.1), shifted(-5), shifted(100)]).toEqual([2.1, 1.9, 1, DURATION_SECONDS])
})
