import type {
  IntentRequest,
  PaymentIntent,
  PricedOrderLine,
  ShippingAddress,
  ShippingMethod,
  TaxLocation,
  TaxLocationFields,
} from '../contract/checkout'
import {
  type CalculatedTax,
  computeTotals,
  MAX_CHARGE_CENTS,
  MIN_CHARGE_CENTS,
  NO_TAX,
  type OrderTax,
  type PriceBreakdown,
} from '../contract/pricing'
import type { Db } from '../db/client'
import { appliesTo, type DiscountUser, discountCentsOf, findDiscount } from '../discounts/discounts'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { formatPrice } from '../lib/price'
import { hashTaxRequest, mapProviderErrors, ProviderRejected, type TaxCalculator } from '../payments/provider'
import {
  priceChangedError,
  productNotFoundError,
  soldOutError,
  type VariantForSale,
  variantsForSaleQuery,
  variantTitle,
} from '../products/products'
import {
  addsShippingOrTax,
  addsTax,
  checkTaxLocation,
  homeTaxRate,
  offerShipping,
  pickupTaxPlace,
  type Shop,
  taxLocationFieldsOf,
  taxRateAt,
} from '../shop-settings/shop-settings'
import type { LineValues, OrderSums } from './order-lines'
import type { MissingAtPricing } from './orders.table'

/** A requested line at its current price. */
export type RequestedLine = VariantForSale & { quantity: number; unitPriceCents: number }

/** An order with its computed prices, ready to be stored. */
export type PricedOrder = {
  lines: (LineValues & Pick<PricedOrderLine, 'imageUrl'>)[]
  breakdown: PriceBreakdown
  /** Null without tax. */
  tax: OrderTax | null
  /** Fields of the buyer's tax location, also once they are entered; null if the tax does not depend on it. */
  taxLocationFields: TaxLocationFields | null
  /** Sums as stored in `orders`. */
  sums: OrderSums
  discountCode: string | null
  /** Why the order's code, or the code of a quote, does not apply; null if it does or there is none. */
  discountNotice: string | null
  shippingMethod: ShippingMethod | null
  shippingMethods: ShippingMethod[]
  /** Units of variants with limited stock. */
  limitedUnits: number
  /** What the total still depends on. A payment before it is known is refunded. */
  missing: MissingAtPricing | null
  /** Hash of the input of the provider's tax calculation; null without one. */
  taxInputHash: string | null
}

type LinesRequest = Pick<IntentRequest, 'amount' | 'productId' | 'quantity' | 'lines' | 'currency'>

/**
 * The requested variants at their current prices, in the request's order.
 * @param previousQuantity quantity of a single product's order, used if the request has none.
 * @throws AppError `not_found` for an unknown product or variant, `choose_variant`, `bad_input`, `price_changed`.
 */
export async function resolveLines(
  db: Db,
  request: LinesRequest,
  { currency, previousQuantity }: { currency: string; previousQuantity?: number | undefined },
): Promise<RequestedLine[]> {
  const { lines, productId = '' } = request
  const variants = await variantsForSaleQuery(
    db,
    lines ? { variantIds: lines.map(({ variantId }) => variantId) } : { productId },
  )
  const resolved = lines
    ? lines.map((line) => {
        const sold = variants.find(({ variant }) => variant.id === line.variantId)
        if (!sold) throw productNotFoundError()
        if (sold.product.checkoutUrl !== '') throw soldElsewhereError(sold)
        return {
          ...sold,
          quantity: line.quantity,
          unitPriceCents: unitPrice(sold, line.unitPriceCents ?? null, currency),
        }
      })
    : [resolveSingleLine(variants, request.quantity ?? previousQuantity ?? 1)]
  const currencies = [request.currency, ...(lines ?? []).map((line) => line.currency)]
  if (currencies.some((code) => code !== undefined && code.toUpperCase() !== currency))
    throw new AppError('bad_input', `This shop sells in ${currency} only. Please reload the cart.`)
  const linesCents = resolved.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0)
  // With a tolerance, because clients multiply floats: 3 × 19.99 is 59.969999999999995.
  if (request.amount !== undefined && Math.abs(request.amount * 100 - linesCents) > 0.001) throw priceChangedError()
  return resolved
}

/** @throws AppError `sold_out`, naming the first line of several. */
export function checkAvailable(lines: readonly RequestedLine[]): void {
  for (const { variant, product, quantity } of lines)
    if (variant.stock !== null && variant.stock < quantity)
      throw soldOutError(variant.stock, lines.length > 1 ? variantTitle(product.name, variant.name) : null)
}

function resolveSingleLine(variants: readonly VariantForSale[], quantity: number): RequestedLine {
  const [sold, ...others] = variants
  if (!sold) throw productNotFoundError()
  if (others.length > 0) {
    const option = (Object.keys(sold.variant.options)[0] ?? 'variant').toLowerCase()
    throw new AppError('choose_variant', `Choose ${/^[aeiou]/.test(option) ? 'an' : 'a'} ${option} first.`)
  }
  return { ...sold, quantity, unitPriceCents: sold.variant.priceCents }
}

function unitPrice({ variant, product }: VariantForSale, chosenCents: number | null, currency: string): number {
  const { priceCents, minimumCents } = variant
  if (chosenCents === null || chosenCents === priceCents) return priceCents
  if (minimumCents === null) throw priceChangedError()
  if (chosenCents < minimumCents)
    throw new AppError(
      'bad_input',
      `${variantTitle(product.name, variant.name)} costs at least ${formatPrice(minimumCents, currency)}.`,
    )
  return chosenCents
}

const soldElsewhereError = ({ product }: VariantForSale) =>
  new AppError('bad_input', `${product.name} is sold on another site. Please buy it from its own page.`)

type PricingInput = {
  shop: Shop
  address: ShippingAddress | null
  /** Location of the buyer of an order without shipped goods. */
  taxLocation: TaxLocation | null
  methodId: string | null
  /** The code that the buyer entered, an error if it does not apply. Empty removes the code, undefined does not. */
  typedCode: string | undefined
  /** The order's code, used unless the buyer entered another; removed if it no longer applies. */
  previousCode: string | null
  user: DiscountUser
  /** The order that is changed. */
  orderId: string | null
  /** Computes the tax at the provider; null to use the admin's rates. */
  calculateTax: TaxCalculator | null
  at: Millis
}

/**
 * The order with its discount, delivery, tax and totals. Without address or pick-up, shipped goods have no delivery.
 * Taxed at the pick-up's show, else at the buyer's address or tax location; until known, in the home country.
 * @throws AppError `unknown_code`, `discount_rejected`, `unserved_country`; `bad_input` for an incomplete tax location
 * or an address that the provider does not know; `unavailable` if the provider does not answer.
 */
export async function priceOrder(
  db: Db,
  requested: readonly RequestedLine[],
  { shop, address, taxLocation, methodId, typedCode, previousCode, user, orderId, calculateTax, at }: PricingInput,
): Promise<PricedOrder> {
  const discountable = requested.map(({ quantity, unitPriceCents, product }) => ({
    productId: product.id,
    amountCents: quantity * unitPriceCents,
  }))
  const linesCents = discountable.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const code = (typedCode ?? previousCode ?? '').toUpperCase()
  const { currency, timeZone } = shop
  const found =
    code === '' ? null : await findDiscount(db, code, { lines: discountable, user, orderId, currency, timeZone, at })
  if (found && 'problem' in found && typedCode !== undefined) throw found.problem
  const discount = found && 'discount' in found ? found.discount : null
  const discountCents = discount ? discountCentsOf(discount, discountable, MIN_CHARGE_CENTS) : 0
  const shipped = requested.filter(({ product }) => product.kind === 'shipped')
  const shipment = {
    pieces: shipped.reduce((sum, { quantity }) => sum + quantity, 0),
    weightGrams: shipped.reduce((sum, { variant, quantity }) => sum + quantity * variant.weightGrams, 0),
    goodsCents: linesCents - discountCents,
  }
  const { methods, method } =
    shipped.length > 0 ? offerShipping(shop, { shipment, address, methodId }) : { methods: [], method: null }
  const usesStripeTax = calculateTax !== null
  const taxFields = shipment.goodsCents > 0 ? taxLocationFieldsOf(shop, { usesStripeTax }) : null
  const isPickup = requested.every(({ product }) => product.kind === 'pickup')
  const pickupPlace = method?.place ?? (isPickup ? pickupTaxPlace(shop, taxFields) : null)
  const locationFields = shipped.length === 0 && pickupPlace === null ? taxFields : null
  const buyerAddress = shipped.length === 0 ? (taxLocation ?? address) : method && address
  const taxAddress = pickupPlace ? null : buyerAddress
  if (taxFields && taxAddress) checkTaxLocation(taxAddress, taxFields)
  const place = pickupPlace ?? (taxAddress && { country: taxAddress.country, region: taxAddress.state })
  const rate = place ? taxRateAt(shop, place) : homeTaxRate(shop)
  const untaxed = {
    lines: requested.map(({ quantity, unitPriceCents, product }) => ({
      quantity,
      unitPriceCents,
      isShipped: product.kind === 'shipped',
      isDiscountable: discount === null || appliesTo(discount, product.id),
    })),
    discountCents,
    shippingCents: method?.priceCents ?? 0,
    currency: shop.currency,
  }
  const calculated =
    calculateTax && place
      ? await calculateOrderTax(calculateTax, {
          lines: requested.map(({ variant }) => variant.id),
          untaxedTotals: computeTotals({ ...untaxed, tax: NO_TAX }),
          included: rate.included,
          address: {
            line1: '',
            city: '',
            postalCode: pickupPlace?.postalCode ?? '',
            ...taxAddress,
            country: place.country,
            state: place.region,
          },
          addressSource: shipped.length === 0 ? 'billing' : 'shipping',
        })
      : null
  const { lines: shares, shippingTaxCents: _, ...breakdown } = computeTotals({ ...untaxed, tax: calculated ?? rate })
  const { name: taxName, ratePer100k } = calculated ?? rate
  const isTaxed = breakdown.taxCents > 0
  const missing = findMissing(shop, {
    usesStripeTax,
    lacksBuyer: discount?.maxUsesPerPerson != null && user.userId === null && user.email === null,
    lacksDestination: shipped.length > 0 && method === null && address === null,
    lacksTaxLocation: locationFields !== null && taxAddress === null,
  })
  return {
    lines: requested.map(({ variant, product, imageUrl, quantity, unitPriceCents }, index) => ({
      variantId: variant.id,
      productId: product.id,
      productName: product.name,
      variantName: variant.name,
      kind: product.kind,
      imageUrl,
      quantity,
      unitPriceCents,
      discountCents: shares[index]?.discountCents ?? 0,
      taxCents: shares[index]?.taxCents ?? 0,
    })),
    breakdown,
    tax: isTaxed ? { name: taxName, ratePer100k, isEstimate: place === null } : null,
    taxLocationFields: locationFields,
    sums: {
      ...breakdown,
      taxName: isTaxed ? taxName : '',
      taxRatePer100k: isTaxed ? ratePer100k : null,
      taxCalculationId: calculated?.calculationId ?? null,
    },
    discountCode: discount?.code ?? null,
    discountNotice: found && 'problem' in found ? found.problem.message : null,
    shippingMethod: method && toShippingMethod(method),
    shippingMethods: methods.map(toShippingMethod),
    limitedUnits: requested.reduce((sum, { variant, quantity }) => sum + (variant.stock === null ? 0 : quantity), 0),
    missing,
    taxInputHash: calculated?.inputHash ?? null,
  }
}

type MissingInformation = {
  usesStripeTax: boolean
  lacksBuyer: boolean
  lacksDestination: boolean
  lacksTaxLocation: boolean
}

/** The most important information that is missing: it can still raise the total, or a code's limit requires it. */
function findMissing(
  shop: Shop,
  { usesStripeTax, lacksBuyer, lacksDestination, lacksTaxLocation }: MissingInformation,
): MissingAtPricing | null {
  if (lacksBuyer) return 'person'
  if (lacksDestination && addsShippingOrTax(shop, { usesStripeTax })) return 'destination'
  return lacksTaxLocation && addsTax(shop, { usesStripeTax }) ? 'tax_location' : null
}

type OrderTaxCalculation = CalculatedTax & {
  calculationId: string
  inputHash: string
  name: string
  ratePer100k: number | null
}

/** Tax of discounted lines and shipping, computed by the provider. @throws AppError `bad_input`, `unavailable`. */
async function calculateOrderTax(
  calculateTax: TaxCalculator,
  {
    lines,
    untaxedTotals,
    included,
    address,
    addressSource,
  }: {
    lines: readonly string[]
    untaxedTotals: ReturnType<typeof computeTotals>
    included: boolean
    address: Parameters<TaxCalculator>[0]['address']
    addressSource: Parameters<TaxCalculator>[0]['addressSource']
  },
): Promise<OrderTaxCalculation> {
  const { line1, city, state, postalCode, country } = address
  const request = {
    currency: untaxedTotals.currency,
    included,
    lines: lines.map((reference, index) => {
      const { amountCents = 0, discountCents = 0 } = untaxedTotals.lines[index] ?? {}
      return { reference, amountCents: amountCents - discountCents }
    }),
    shippingCents: untaxedTotals.shippingCents,
    address: { line1, city, state, postalCode, country },
    addressSource,
  }
  const calculation = await mapProviderErrors(
    calculateTax(request).catch((error) => {
      if (!(error instanceof ProviderRejected)) throw error
      throw new AppError(
        'bad_input',
        'We could not find the tax for this address. Please check it, ZIP code included.',
        { cause: error },
      )
    }),
  )
  return { ...calculation, included, inputHash: await hashTaxRequest(request) }
}

/** @throws AppError `bad_input` for a total from 1 to 49 cents, or above the provider's maximum. */
export function checkChargeable({ totalCents, currency }: PriceBreakdown): void {
  if (totalCents > 0 && totalCents < MIN_CHARGE_CENTS)
    throw new AppError('bad_input', `A card payment must come to at least ${formatPrice(MIN_CHARGE_CENTS, currency)}.`)
  if (totalCents > MAX_CHARGE_CENTS)
    throw new AppError('bad_input', 'This order is too large for one card payment. Please make two orders.')
}

/** A method as the order stores it and responses contain it, without the place where a pick-up is taxed. */
const toShippingMethod = ({ id, name, priceCents, isPickup }: ShippingMethod): ShippingMethod => ({
  id,
  name,
  priceCents,
  isPickup: isPickup ?? false,
})

/** `available` is the stock of each line. */
export const toPricedLines = (lines: PricedOrder['lines'], available: readonly (number | null)[]): PricedOrderLine[] =>
  lines.map(({ discountCents: _, taxCents: __, ...line }, index) => ({ ...line, available: available[index] ?? null }))

/** The fields of the response that come from the priced order. */
export function toIntentFields(
  {
    lines,
    breakdown,
    tax,
    taxLocationFields,
    discountCode,
    discountNotice,
    shippingMethod,
    shippingMethods,
  }: PricedOrder,
  available: readonly (number | null)[],
): Omit<PaymentIntent, 'clientSecret' | 'orderId' | 'status' | 'receiptUrl' | 'reservedUntil'> {
  const [first] = lines
  return {
    amountCents: breakdown.totalCents,
    quantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    available: available[0] ?? first?.quantity ?? 0,
    unitPriceCents: first?.unitPriceCents ?? 0,
    discountCents: breakdown.discountCents,
    discountCode,
    promotionCode: discountCode,
    discountNotice,
    lines: toPricedLines(lines, available),
    shippingMethods,
    shippingMethodId: shippingMethod?.id ?? null,
    breakdown,
    tax,
    taxLocationFields,
  }
}
