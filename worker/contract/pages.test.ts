import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPage, returnPath } from './pages'

const SITE = 'https://fan.example'

test('returns only allowed pages of this site', () => {
  const hostile = fc
    .array(
      fc.constantFrom(
        '/',
        '\\',
        '//',
        '%2f',
        '%5c',
        '..',
        ':',
        '@',
        '?',
        '#',
        '\t',
        '\n',
        'evil.example',
        'https:',
        'javascript:',
        'data:',
        'account',
        'subscribe',
        ' ',
      ),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string(), fc.webUrl(), fc.anything()), (input) => {
      const path = returnPath(input)
      expect(path).toMatch(/^\/(?![/\\])/)
      const { origin, pathname } = new URL(path, SITE)
      expect(origin).toBe(SITE)
      expect(findPage(pathname)).not.toBeNull()
      expect(pathname).not.toMatch(
        /^\/(login|auth|signup|admin.*|verify-.*|reset-password|golden-.*|csv-.*|download-csv|newsletter\/.*|alerts\/.*|demo\/.*)$/,
      )
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '/',
  '/subscribe?tier=gold',
  '/checkout?product=hoodie&quantity=2',
  '/account',
  '/#music',
  '/privacy-policy',
])('accepts the return path %s', (path) => {
  expect(returnPath(path)).toBe(path)
})
