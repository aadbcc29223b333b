import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allocate, computeTotals, NO_TAX, type PricedLine, percentOf, type TaxRate, taxOn, unitsShare } from './pricing'

const cents = fc.integer({ min: 0, max: 10_000_000 })
const line: fc.Arbitrary<PricedLine> = fc.record({
  unitPriceCents: cents,
  quantity: fc.integer({ min: 1, max: 99 }),
  isShipped: fc.boolean(),
  isDiscountable: fc.boolean(),
})
const rate: fc.Arbitrary<TaxRate> = fc.record({
  ratePer100k: fc.integer({ min: 0, max: 50_000 }),
  included: fc.boolean(),
})
const order = fc.record({
  lines: fc.array(line, { maxLength: 30 }),
  discountCents: cents,
  shippingCents: cents,
  tax: rate,
  currency: fc.constant('USD'),
})
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const fcOptions = { numRuns: 500 }

const hoodie = { unitPriceCents: 8900, quantity: 1, isShipped: true }
const clip = { unitPriceCents: 1999, quantity: 1, isShipped: true }
const usdOrder = { discountCents: 0, shippingCents: 0, tax: NO_TAX, currency: 'USD' }

test('total is lines, shipping and exclusive tax, less the discount', () => {
  fc.assert(
    fc.property(order, (input) => {
      const totals = computeTotals(input)
      const { linesCents, shippingCents, discountCents, taxCents, taxIncluded, totalCents } = totals
      expect(totalCents).toBe(linesCents + shippingCents - discountCents + (taxIncluded ? 0 : taxCents))
      expect(linesCents).toBe(sum(input.lines.map((line) => line.unitPriceCents * line.quantity)))
    }),
    fcOptions,
  )
})

test('shares of the lines add up exactly', () => {
  fc.assert(
    fc.property(order, (input) => {
      const totals = computeTotals(input)
      expect(sum(totals.lines.map((line) => line.amountCents))).toBe(totals.linesCents)
      expect(sum(totals.lines.map((line) => line.discountCents))).toBe(totals.discountCents)
      expect(sum(totals.lines.map((line) => line.taxCents)) + totals.shippingTaxCents).toBe(totals.taxCents)
    }),
    fcOptions,
  )
})

test('no amount is negative and no discount exceeds its line', () => {
  fc.assert(
    fc.property(order, (input) => {
      const totals = computeTotals(input)
      const { linesCents, shippingCents, discountCents, taxCents, totalCents } = totals
      expect(Math.min(linesCents, shippingCents, discountCents, taxCents, totalCents)).toBeGreaterThanOrEqual(0)
      for (const [i, share] of totals.lines.entries()) {
        expect(share.discountCents).toBeLessThanOrEqual(share.amountCents)
        expect(share.taxCents).toBeGreaterThanOrEqual(0)
        if (input.lines[i]?.isDiscountable === false) expect(share.discountCents).toBe(0)
      }
    }),
    fcOptions,
  )
})

test('shipping is charged only with a shipped line', () => {
  fc.assert(
    fc.property(order, (input) => {
      const { shippingCents } = computeTotals(input)
      expect(shippingCents).toBe(input.lines.some((line) => line.isShipped) ? input.shippingCents : 0)
    }),
    fcOptions,
  )
})

test('tax is rounded half up, within half a cent', () => {
  fc.assert(
    fc.property(cents, rate, (amount, tax) => {
      const divisor = tax.included ? 100_000 + tax.ratePer100k : 100_000
      // exact - rounded is in [-1/2, 1/2) cents: exactly half rounds up.
      const difference = 2n * (BigInt(amount * tax.ratePer100k) - BigInt(taxOn(amount, tax)) * BigInt(divisor))
      expect(difference >= -BigInt(divisor) && difference < BigInt(divisor)).toBe(true)
    }),
    fcOptions,
  )
})

test('inclusive tax plus net is the gross amount', () => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 50_000 }), (net, ratePer100k) => {
      const gross = net + taxOn(net, { ratePer100k, included: false })
      expect(gross - taxOn(gross, { ratePer100k, included: true })).toBe(net)
    }),
    fcOptions,
  )
})

test('allocation is exact and within a cent of proportion', () => {
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 50 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (weights, part) => {
        const weightSum = sum(weights)
        const total = Math.floor(weightSum * part)
        const shares = allocate(total, weights)
        expect(sum(shares)).toBe(total)
        for (const [i, share] of shares.entries()) {
          expect(Math.abs(share - (total * (weights[i] ?? 0)) / (weightSum || 1))).toBeLessThan(1)
          expect(share).toBeLessThanOrEqual(weights[i] ?? 0)
        }
      },
    ),
    fcOptions,
  )
})

test('unit shares add up in any sequence of refunds', () => {
  fc.assert(
    fc.property(cents, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }), (amount, counts) => {
      const quantity = sum(counts)
      let start = 0
      const shares = counts.map((count) => {
        const share = unitsShare(amount, quantity, { start, count })
        start += count
        return share
      })
      expect(sum(shares)).toBe(amount)
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0)
    }),
    fcOptions,
  )
})

test('a German price contains 19 % of tax', () => {
  const totals = computeTotals({
    ...usdOrder,
    lines: [hoodie],
    shippingCents: 1600,
    tax: { ratePer100k: 19_000, included: true },
  })
  expect(totals).toMatchObject({ linesCents: 8900, shippingCents: 1600, taxCents: 1421 + 255, totalCents: 10_500 })
})

test('Florida adds 7 % to discounted lines and shipping', () => {
  const totals = computeTotals({
    ...usdOrder,
    lines: [hoodie, clip],
    discountCents: 500,
    shippingCents: 800,
    tax: { ratePer100k: 7000, included: false },
  })
  // The discount of $5.00 splits into $4.08 and $0.92.
  expect(totals.lines.map((line) => line.discountCents)).toEqual([408, 92])
  expect(totals.lines.map((line) => line.taxCents)).toEqual([594, 133])
  expect(totals).toMatchObject({ shippingTaxCents: 56, taxCents: 783, totalCents: 8900 + 1999 - 500 + 800 + 783 })
})

test('rounds half a cent up', () => {
  expect(taxOn(50, { ratePer100k: 1000, included: false })).toBe(1)
  expect(taxOn(49, { ratePer100k: 1000, included: false })).toBe(0)
  expect([percentOf(1999, 50), percentOf(1, 49), percentOf(1999, 100)]).toEqual([1000, 0, 1999])
})

test('a discount larger than the lines leaves the shipping', () => {
  const totals = computeTotals({ ...usdOrder, lines: [clip], discountCents: 5000, shippingCents: 800 })
  expect(totals).toMatchObject({ discountCents: 1999, totalCents: 800 })
})

test('uses a provider’s computed tax unchanged', () => {
  const tax = { lineTaxCents: [623, 0], shippingTaxCents: 0, included: false }
  const totals = computeTotals({ ...usdOrder, lines: [hoodie, clip], shippingCents: 800, tax })
  expect(totals).toMatchObject({ taxCents: 623, totalCents: 8900 + 1999 + 800 + 623 })
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('rejects an amount of %s', (amount) => {
  expect(() => computeTotals({ ...usdOrder, lines: [{ ...hoodie, unitPriceCents: amount }] })).toThrow(RangeError)
  expect(() => computeTotals({ ...usdOrder, lines: [hoodie], shippingCents: amount })).toThrow(RangeError)
  expect(() => computeTotals({ ...usdOrder, lines: [{ ...hoodie, quantity: amount }] })).toThrow(RangeError)
})
