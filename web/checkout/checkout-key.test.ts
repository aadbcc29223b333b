import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCheckoutKeys, getOrCreateCheckoutKey } from './checkout-key'

const NOW = Date.parse('2026-07-01T16:00:00Z')
const DAY_MS = 24 * 60 * 60 * 1000

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

test('reuses a key for a day or until payment', () => {
  const key = getOrCreateCheckoutKey('hoodie', NOW)
  expect(key).toMatch(/^\w{48}$/)
  expect(getOrCreateCheckoutKey('hoodie', NOW + DAY_MS - 1)).toBe(key)
  getOrCreateCheckoutKey('clip', NOW + DAY_MS)
  expect(Object.keys(localStorage)).toEqual(['checkout of clip'])
  expect(getOrCreateCheckoutKey('hoodie', NOW + DAY_MS)).not.toBe(key)
  localStorage.setItem('unrelated', 'stays')
  clearCheckoutKeys()
  expect(Object.keys(localStorage)).toEqual(['unrelated'])
})

test('replaces a malformed or future key', () => {
  for (const stored of [`${'a'.repeat(48)} ${NOW + 1}`, 'a'.repeat(48), 'malformed']) {
    localStorage.setItem('checkout of hoodie', stored)
    expect(getOrCreateCheckoutKey('hoodie', NOW)).not.toBe('a'.repeat(48))
  }
})

test('returns undefined without storage', () => {
  const blocked = () => {
    throw new DOMException('Blocked.', 'SecurityError')
  }
  vi.stubGlobal('localStorage', new Proxy({}, { get: blocked, ownKeys: blocked }))
  expect(getOrCreateCheckoutKey('hoodie', NOW)).toBeUndefined()
})
