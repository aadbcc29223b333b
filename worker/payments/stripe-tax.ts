import type Stripe from 'stripe'
import type { StripeConfig } from './config'
import { hashTaxRequest, ProviderFailed, type TaxCalculation, type TaxCalculator, type TaxRequest } from './provider'
import { createStripeCaller } from './stripe'

/** Stripe's maximum per request. An order has at most 50 lines. */
const MAX_LINE_ITEMS = 100

/**
 * Tax through Stripe Tax. The idempotency key is a hash of the request: the same order at the same address is the same
 * calculation, which Stripe charges for once. Stripe stores a server error under its key for a day, so a retry
 * needs a second key.
 */
export function createStripeTaxCalculator(config: StripeConfig): TaxCalculator {
  const call = createStripeCaller(config)
  const calculate = (request: TaxRequest, idempotencyKey: string) =>
    call(async (stripe) => {
      const calculation = await stripe.tax.calculations.create(toParams(request), { idempotencyKey })
      const id = calculation.id ?? ''
      const items = await stripe.tax.calculations.listLineItems(id, { limit: MAX_LINE_ITEMS })
      const taxByReference = new Map(items.data.map(({ reference, amount_tax }) => [reference, amount_tax]))
      return {
        calculationId: id,
        lineTaxCents: request.lines.map(({ reference }) => taxByReference.get(reference) ?? 0),
        shippingTaxCents: calculation.shipping_cost?.amount_tax ?? 0,
        ...nameAndRateOf(calculation.tax_breakdown),
      }
    })
  return async (request) => {
    const idempotencyKey = `tax:${await hashTaxRequest(request)}`
    return calculate(request, idempotencyKey).catch((error) => {
      if (!(error instanceof ProviderFailed)) throw error
      return calculate(request, `${idempotencyKey}:2`)
    })
  }
}

function toParams({
  currency,
  included,
  lines,
  shippingCents,
  address,
  addressSource,
}: TaxRequest): Stripe.Tax.CalculationCreateParams {
  const { country, state, city, line1, postalCode } = address
  const tax_behavior = included ? 'inclusive' : 'exclusive'
  return {
    currency: currency.toLowerCase(),
    customer_details: {
      address: { country, state, city, line1, postal_code: postalCode },
      address_source: addressSource,
    },
    line_items: lines.map(({ reference, amountCents }) => ({ reference, amount: amountCents, tax_behavior })),
    ...(shippingCents > 0 && { shipping_cost: { amount: shippingCents, tax_behavior } }),
  }
}

const TAX_NAMES: Partial<Record<string, string>> = { vat: 'VAT', gst: 'GST', sales_tax: 'Sales tax', hst: 'HST' }

function nameAndRateOf(
  breakdown: Stripe.Tax.Calculation['tax_breakdown'],
): Pick<TaxCalculation, 'name' | 'ratePer100k'> {
  const taxed = breakdown.filter(({ amount }) => amount > 0)
  const rates = new Set(taxed.map(({ tax_rate_details: { percentage_decimal } }) => percentage_decimal))
  const names = new Set(taxed.map(({ tax_rate_details: { tax_type } }) => TAX_NAMES[tax_type ?? ''] ?? 'Tax'))
  const [rate] = rates
  return {
    name: names.size === 1 ? ([...names][0] ?? 'Tax') : 'Tax',
    ratePer100k: rates.size === 1 && rate !== undefined ? Math.round(Number(rate) * 1000) : null,
  }
}
