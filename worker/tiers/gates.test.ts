import { expect, test } from 'vitest'
import { mustOpen, opens, tierNamed } from './gates'

test('exclusive things open for silver and gold, and for nobody else', () => {
  for (const gated of ['exclusiveTrack', 'exclusivePost'] as const) {
    expect([null, 'bronze', 'silver', 'gold'].map((tier) => opens(gated, tier as 'bronze' | null))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(() => mustOpen(gated, 'bronze')).toThrow('for Silver and Gold supporters.')
    expect(() => mustOpen(gated, 'silver')).not.toThrow()
  }
})

test('free and vip are other names of bronze and gold', () => {
  expect((['free', 'bronze', 'silver', 'gold', 'vip'] as const).map(tierNamed)).toEqual([
    'bronze',
    'bronze',
    'silver',
    'gold',
    'gold',
  ])
})
