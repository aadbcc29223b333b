import * as z from 'zod/mini'

// Pure functions, so that page, quote, payment intent, receipt and export show the same totals of an order.

/** Sums of a cart or order. Total = lines + shipping - discount, plus tax unless it is included. */
export const PriceBreakdown = z.object({
  /** Lines before discounts. */
  linesCents: z.int(),
  shippingCents: z.int(),
  /** Included in the prices if `taxIncluded`, else added to the total. */
  taxCents: z.int(),
  taxIncluded: z.boolean(),
  discountCents: z.int(),
  totalCents: z.int(),
  /** ISO 4217. */
  currency: z.string(),
})
export type PriceBreakdown = z.infer<typeof PriceBreakdown>

/** What a breakdown's tax is called: see `taxLabel`. */
export const OrderTax = z.object({
  /** 'VAT'. */
  name: z.string(),
  /** 19 % is 19000; null if several rates apply. */
  ratePer100k: z.nullable(z.int()),
  /** The address is not known yet: the tax of the site's home country. */
  isEstimate: z.boolean(),
})
export type OrderTax = z.infer<typeof OrderTax>

/** 'Includes 19% VAT', 'Sales tax 7%'; 'Tax' while it is not known. */
export function taxLabel(tax: Pick<OrderTax, 'name' | 'ratePer100k'> | null, included: boolean): string {
  if (tax === null) return included ? 'Includes tax' : 'Tax'
  const rate = tax.ratePer100k === null ? '' : `${tax.ratePer100k / 1000}%`
  // Inside a text, 'VAT' stays in upper case and 'Sales tax' is lowercased.
  const name = tax.name === tax.name.toUpperCase() ? tax.name : tax.name.charAt(0).toLowerCase() + tax.name.slice(1)
  return included ? ['Includes', rate, name].filter(Boolean).join(' ') : [tax.name, rate].filter(Boolean).join(' ')
}

export type PricedLine = {
  unitPriceCents: number
  quantity: number
  /** Shipping is charged only if a line is shipped. */
  isShipped: boolean
  /** False if a code's restriction excludes the line. Default true. */
  isDiscountable?: boolean
}

/** `ratePer100k`: 19 % is 19000. */
export type TaxRate = { ratePer100k: number; included: boolean }
/** Tax that a provider computed for each line after discount, and for shipping. */
export type CalculatedTax = { lineTaxCents: readonly number[]; shippingTaxCents: number; included: boolean }

export const NO_TAX: TaxRate = { ratePer100k: 0, included: false }

type LineTotals = {
  /** Quantity times unit price. */
  amountCents: number
  /** The line's share of the discount. */
  discountCents: number
  taxCents: number
}

export type OrderTotals = PriceBreakdown & { lines: LineTotals[]; shippingTaxCents: number }

/** The provider's limits for a card payment. A total of zero is paid without a provider. */
export const MIN_CHARGE_CENTS = 50
export const MAX_CHARGE_CENTS = 99_999_999

/**
 * Totals of an order. The discount is limited to the lines it applies to, and shared among them by largest remainder.
 * Tax is computed per line after discount and for shipping at the same rate, each rounded half up.
 * @throws RangeError unless every amount is a safe, non-negative integer.
 */
export function computeTotals(order: {
  lines: readonly PricedLine[]
  discountCents: number
  shippingCents: number
  tax: TaxRate | CalculatedTax
  currency: string
}): OrderTotals {
  const { currency, tax } = order
  const amounts = order.lines.map(({ unitPriceCents, quantity }) =>
    checkedAmount(checkedAmount(unitPriceCents) * checkedAmount(quantity)),
  )
  const discountable = amounts.map((cents, i) => (order.lines[i]?.isDiscountable === false ? 0 : cents))
  const discountCents = Math.min(checkedAmount(order.discountCents), sum(discountable))
  const discounts = allocate(discountCents, discountable)
  const hasShippedLine = order.lines.some(({ isShipped, quantity }) => isShipped && quantity > 0)
  const shippingCents = hasShippedLine ? checkedAmount(order.shippingCents) : 0
  const lines = amounts.map((amountCents, i) => {
    const lineDiscountCents = discounts[i] ?? 0
    const taxCents =
      'lineTaxCents' in tax ? checkedAmount(tax.lineTaxCents[i] ?? 0) : taxOn(amountCents - lineDiscountCents, tax)
    return { amountCents, discountCents: lineDiscountCents, taxCents }
  })
  const shippingTaxCents = 'lineTaxCents' in tax ? checkedAmount(tax.shippingTaxCents) : taxOn(shippingCents, tax)
  const linesCents = sum(amounts)
  const taxCents = sum(lines.map((line) => line.taxCents)) + shippingTaxCents
  const totalCents = checkedAmount(linesCents + shippingCents - discountCents + (tax.included ? 0 : taxCents))
  return {
    linesCents,
    shippingCents,
    taxCents,
    taxIncluded: tax.included,
    discountCents,
    totalCents,
    currency,
    lines,
    shippingTaxCents,
  }
}

/** The tax in or on an amount, rounded half up. */
export function taxOn(cents: number, { ratePer100k, included }: TaxRate): number {
  const rate = checkedAmount(ratePer100k)
  return multiplyHalfUp(checkedAmount(cents), rate, included ? 100_000 + rate : 100_000)
}

/** `percent` % of an amount, rounded half up. */
export const percentOf = (cents: number, percent: number): number => multiplyHalfUp(checkedAmount(cents), percent, 100)

/**
 * Splits `totalCents` in proportion to `weights`, rounded down. The remaining cents go to the largest remainders, among
 * equal ones to the first. No share exceeds its weight if the total does not exceed the sum of the weights.
 */
export function allocate(totalCents: number, weights: readonly number[]): number[] {
  const weightSum = BigInt(sum(weights))
  if (weightSum === 0n) return weights.map(() => 0)
  const products = weights.map((weight) => BigInt(checkedAmount(totalCents)) * BigInt(checkedAmount(weight)))
  const shares = products.map((product) => Number(product / weightSum))
  const byRemainder = products
    .map((product, index) => ({ remainder: product % weightSum, index }))
    .sort((a, b) => Number(b.remainder - a.remainder))
  const centsLeft = totalCents - sum(shares)
  for (const { index } of byRemainder.slice(0, centsLeft)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}

/**
 * The share of a line's cents that belongs to `count` of its units, after the first `start` units. The shares of all
 * units add up to `cents`, in whatever steps they are refunded.
 */
export function unitsShare(
  cents: number,
  quantity: number,
  { start, count }: { start: number; count: number },
): number {
  const shareOfFirst = (units: number) => multiplyHalfUp(checkedAmount(cents), units, quantity)
  return shareOfFirst(start + count) - shareOfFirst(start)
}

/** `cents * numerator / denominator`, rounded half up. BigInt, because the product can exceed a safe integer. */
function multiplyHalfUp(cents: number, numerator: number, denominator: number): number {
  // floor(x + 1/2), with numerator and denominator doubled.
  const doubledNumerator = 2n * BigInt(cents) * BigInt(numerator) + BigInt(denominator)
  return Number(doubledNumerator / (2n * BigInt(denominator)))
}

function checkedAmount(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not an amount: ${value}`)
  return value
}

const sum = (values: readonly number[]): number => checkedAmount(values.reduce((total, value) => total + value, 0))
