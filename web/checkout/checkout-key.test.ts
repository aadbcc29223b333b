import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkoutKey, clearCheckoutKeys } from './checkout-key'

const NOON = Date.parse('2026-07-01T16:00:00Z')
const DAY_MS = 24 * 60 * 60 * 1000

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

test('keeps a checkout key for a day or until payment', () => {
  const key = checkoutKey('hoodie', NOON)
  expect(key).toMatch(/^\w{48}$/)
  expect(checkoutKey('hoodie', NOON + DAY_MS - 1)).toBe(key)
  checkoutKey('clip', NOON + DAY_MS)
  expect(Object.keys(localStorage)).toEqual(['checkout of clip'])
  expect(checkoutKey('hoodie', NOON + DAY_MS)).not.toBe(key)
  localStorage.setItem('unrelated', 'stays')
  clearCheckoutKeys()
  expect(Object.keys(localStorage)).toEqual(['unrelated'])
})

test('replaces a malformed or future key', () => {
  for (const stored of [`${'a'.repeat(48)} ${NOON + 1}`, 'a'.repeat(48), 'malformed']) {
    localStorage.setItem('checkout of hoodie', stored)
    expect(checkoutKey('hoodie', NOON)).not.toBe('a'.repeat(48))
  }
})

test('leaves the key to the server’s cookie without storage', () => {
  const blocked = () => {
    throw new DOMException('Blocked.', 'SecurityError')
  }
  vi.stubGlobal('localStorage', new Proxy({}, { get: blocked, ownKeys: blocked }))
  expect(checkoutKey('hoodie', NOON)).toBeUndefined()
})
