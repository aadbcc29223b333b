import type { CartQuote } from '../../worker/contract/cart'
import { formatPrice } from '../lib/format'
import type { QuotedLine } from './cart.queries'
import type { StoredLine } from './cart-store'

/** 'The Hoodie (M)'; just 'The Hoodie' if the product has one variant. */
export const lineName = ({ productName, variantName }: { productName: string; variantName: string }): string =>
  variantName === '' ? productName : `${productName} (${variantName})`

/** A sentence about what the quote has changed in a line. */
export type CartNotice = { variantId: string; text: string }

type Reconciled = { line: StoredLine | null; notice: CartNotice | null }

/**
 * Applies the server's quote to a stored line: name, price and at most the available quantity. A sold-out line stays in
 * the cart; `line` is null if the variant is no longer sold.
 */
export function reconcile(line: StoredLine, quote: Pick<CartQuote, 'lines'>): Reconciled {
  const quoted = quote.lines.find(({ variantId }) => variantId === line.variantId)
  if (!quoted) return { line: null, notice: noticeOf(line, `${nameOf(line)} is no longer sold, so we removed it.`) }
  const seen = toSeenProduct(line, quoted)
  const quantity =
    quoted.available === null || quoted.available <= 0 ? line.quantity : Math.min(line.quantity, quoted.available)
  const unitPriceCents = line.unitPriceCents === null ? null : quoted.unitPriceCents
  const texts = [priceText(line, quoted), stockText(line, quoted)].filter((text) => text !== null)
  const isSame =
    quantity === line.quantity &&
    unitPriceCents === line.unitPriceCents &&
    JSON.stringify(seen) === JSON.stringify(line.seen)
  return {
    line: isSame ? line : { ...line, quantity, unitPriceCents, seen },
    notice: texts.length > 0 ? noticeOf(line, texts.join(' ')) : null,
  }
}

const noticeOf = ({ variantId }: StoredLine, text: string): CartNotice => ({ variantId, text })
const nameOf = ({ seen }: StoredLine) => (seen ? lineName(seen) : 'A product')

const toSeenProduct = (line: StoredLine, { productName, variantName, imageUrl, unitPriceCents }: QuotedLine) => ({
  slug: line.seen?.slug ?? '',
  productName,
  variantName,
  imageUrl,
  priceCents: unitPriceCents,
})

function priceText(line: StoredLine, { unitPriceCents }: QuotedLine): string | null {
  const previousCents = line.unitPriceCents ?? line.seen?.priceCents
  if (previousCents === undefined || previousCents === unitPriceCents) return null
  return `The price of ${nameOf(line)} changed from ${formatPrice(previousCents)} to ${formatPrice(unitPriceCents)}.`
}

function stockText({ quantity }: StoredLine, { available }: QuotedLine): string | null {
  if (available === null || available <= 0 || available >= quantity) return null
  return `Only ${available} left, so the quantity is now ${available}.`
}
