import { expect, test } from 'vitest'
import type { QuotedLine } from './cart.queries'
import type { StoredLine } from './cart-store'
import { reconcile } from './reconcile'

const seen = { slug: 'hoodie', productName: 'The hoodie', variantName: 'M', imageUrl: '/media/a/b', priceCents: 8900 }
const line: StoredLine = { variantId: 'm', quantity: 3, unitPriceCents: null, seen }
const buildQuotedLine = (changes: Partial<QuotedLine> = {}): QuotedLine => ({
  variantId: 'm',
  productId: 'hoodie',
  productName: 'The hoodie',
  variantName: 'M',
  imageUrl: '/media/a/b',
  kind: 'shipped',
  quantity: 3,
  unitPriceCents: 8900,
  available: 5,
  minimumCents: null,
  ...changes,
})
const reconcileWith = (changes: Partial<QuotedLine>, stored = line) =>
  reconcile(stored, { lines: [buildQuotedLine(changes)] })

test('does not change a line whose product is unchanged', () => {
  expect(reconcileWith({})).toEqual({ line, notice: null })
  expect(reconcileWith({}).line).toBe(line)
})

test('reports the old and the new price', () => {
  expect(reconcileWith({ unitPriceCents: 9500 })).toEqual({
    line: { ...line, seen: { ...seen, priceCents: 9500 } },
    notice: { variantId: 'm', text: 'The price of The hoodie (M) changed from $89.00 to $95.00.' },
  })
})

test('lowers the quantity to the stock and says so', () => {
  const { line: changed, notice } = reconcileWith({ available: 2 })
  expect([changed?.quantity, notice?.text]).toEqual([2, 'Only 2 left, so the quantity is now 2.'])
})

test('keeps a sold-out line for the buyer to remove', () => {
  expect(reconcileWith({ available: 0 })).toEqual({ line, notice: null })
})

test('has no limit for unlimited stock', () => {
  expect(reconcileWith({ available: null })).toEqual({ line, notice: null })
})

test('removes a product that is no longer sold, with notice', () => {
  expect(reconcile(line, { lines: [] })).toEqual({
    line: null,
    notice: { variantId: 'm', text: 'The hoodie (M) is no longer sold, so we removed it.' },
  })
})

test('raises a chosen price to the new minimum', () => {
  const { line: changed, notice } = reconcileWith({ unitPriceCents: 1200 }, { ...line, unitPriceCents: 1000 })
  expect([changed?.unitPriceCents, notice?.text]).toEqual([
    1200,
    'The price of The hoodie (M) changed from $10.00 to $12.00.',
  ])
})

test('fills in the product of an account’s line without notice', () => {
  expect(reconcileWith({}, { ...line, seen: null })).toEqual({
    line: { ...line, seen: { ...seen, slug: '' } },
    notice: null,
  })
})
