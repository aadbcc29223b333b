import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkoutKey, clearCheckoutKeys } from './checkout-key'

const NOW = Date.parse('2026-07-01T16:00:00Z')
const DAY_MS = 24 * 60 * 60 * 1000

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

test('reuses a key for a day or until payment', () => {
  const key = checkoutKey('hoodie', NOW)
  expect(key).toMatch(/^\w{48}$/)
  expect(checkoutKey('hoodie', NOW + DAY_MS - 1)).toBe(key)
  checkoutKey('clip', NOW + DAY_MS)
  expect(Object.keys(localStorage)).toEqual(['checkout of clip'])
  expect(checkoutKey('hoodie', NOW + DAY_MS)).not.toBe(key)
  localStorage.setItem('unrelated', 'stays')
  clearCheckoutKeys()
  expect(Object.keys(localStorage)).toEqual(['unrelated'])
})

test('replaces a malformed or future key', () => {
  for (const stored of [`${'a'.repeat(48)} ${NOW + 1}`, 'a'.repeat(48), 'malformed']) {
    localStorage.setItem('checkout of hoodie', stored)
    expect(checkoutKey('hoodie', NOW)).not.toBe('a'.repeat(48))
  }
})

test('returns undefined without storage', () => {
  const blocked = () => {
    throw new DOMException('Blocked.', 'SecurityError')
  }
  vi.stubGlobal('localStorage', new Proxy({}, { get: blocked, ownKeys: blocked }))
  expect(checkoutKey('hoodie', NOW)).toBeUndefined()
})
