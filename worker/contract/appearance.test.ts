import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppearanceDraft, accentContrast, contrastRatio } from './appearance'
import { HOME_SECTIONS } from './home-sections'

const draft = (changes: object) => ({
  accent: null,
  sections: HOME_SECTIONS.map(({ id }) => ({ id, isVisible: true })),
  labels: { music: '', merch: '', concerts: '', exclusive: '', 'smart-features': '' },
  version: 1,
  ...changes,
})
const firstError = (changes: object) => AppearanceDraft.safeParse(draft(changes)).error?.issues[0]?.message

test('computes the WCAG contrast ratio', () => {
  expect(contrastRatio('#ffffff', '#000000')).toBeCloseTo(21, 5)
  expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('rejects exactly the colors below the minimum contrast', () => {
  const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'))
  const color = fc.tuple(channel, channel, channel).map((channels) => `#${channels.join('')}`)
  fc.assert(
    fc.property(color, (accent) => {
      expect(AppearanceDraft.safeParse(draft({ accent })).success).toBe(accentContrast(accent) >= 4.5)
    }),
  )
})

test.each([
  [
    { accent: '#1a1a1a' },
    'Text in that color would be hard to read on the dark background. Please choose a lighter one.',
  ],
  [{ accent: 'red' }, 'The accent color must be like #d9b24c.'],
  [{ accent: '#fff}*{display:none' }, 'The accent color must be like #d9b24c.'],
  [{ sections: draft({}).sections.slice(1) }, 'Each section must be listed once.'],
  [
    { sections: [...draft({}).sections.slice(1), { id: 'newsletter', isVisible: true }] },
    'Each section must be listed once.',
  ],
  [{ sections: HOME_SECTIONS.map(({ id }) => ({ id, isVisible: false })) }, 'Show at least one section.'],
  [{ labels: { ...draft({}).labels, merch: 'x'.repeat(25) } }, 'The label must be at most 24 characters.'],
])('rejects %j', (changes, message) => expect(firstError(changes)).toBe(message))

test('accepts a color in upper case', () => {
  expect(AppearanceDraft.parse(draft({ accent: '#E7BC58' })).accent).toBe('#e7bc58')
})
