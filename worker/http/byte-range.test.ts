import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseByteRange } from './byte-range'

const SIZE = 5000

test.each([
  ['bytes=0-9', { offset: 0, length: 10 }],
  ['bytes=-3', { offset: 4997, length: 3 }],
  ['bytes=4990-', { offset: 4990, length: 10 }],
  ['bytes=4999-4999', { offset: 4999, length: 1 }],
  ['bytes=0-99999999999999999999', { offset: 0, length: 5000 }],
  ['bytes=-9999', { offset: 0, length: 5000 }],
  ['Bytes = 0-9', { offset: 0, length: 10 }],
] as const)('parses %s', (header, part) => {
  expect(parseByteRange(header, SIZE)).toEqual(part)
})

test.each([
  'bytes=5000-',
  'bytes=99999999999999999999-',
  'bytes=9-2',
  'bytes=-0',
  'bytes=-',
  'bytes=',
  'bytes=garbage',
  'bytes=1e3-2e3',
  'bytes=0x0-0x9',
  'bytes=--3',
  'bytes=9-2,7000-',
  'garbage',
  '',
])('rejects %j', (header) => {
  expect(parseByteRange(header, SIZE)).toBe('unsatisfiable')
})

test.each([undefined, 'items=0-9', 'bytes=0-9,20-29', 'bytes=0-9, -3'])('ignores %j', (header) => {
  expect(parseByteRange(header, SIZE)).toBe('whole')
})

test('rejects ranges of an empty object', () => {
  for (const header of ['bytes=0-', 'bytes=-1', 'bytes=0-0']) expect(parseByteRange(header, 0)).toBe('unsatisfiable')
})

test('limits every range to the object', () => {
  const rangeLike = fc.oneof(fc.string(), fc.stringMatching(/^bytes=\d{0,20}-\d{0,20}(,\d{0,3}-\d{0,3})?$/))
  fc.assert(
    fc.property(rangeLike, fc.nat(10_000), (header, size) => {
      const range = parseByteRange(header, size)
      if (typeof range === 'string') return
      expect(range.offset).toBeGreaterThanOrEqual(0)
      expect(range.length).toBeGreaterThan(0)
      expect(range.offset + range.length).toBeLessThanOrEqual(size)
    }),
  )
})
