import type { ReactNode } from 'react'
import { type OrderTax, type PriceBreakdown, taxLabel } from '../../worker/contract/pricing'
import { formatPrice } from '../lib/format'
import { ResponsiveImage } from '../ui/ResponsiveImage'

export function SummaryRow({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="receipt-line">
      <dt>{term}</dt>
      <dd className="text-right font-semibold">{children}</dd>
    </div>
  )
}

export function SummaryTotal({ term = 'Total', children }: { term?: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-t-4 border-background pt-4 not-last:pb-4">
      <dt className="font-label">{term}</dt>
      <dd className="font-display text-[clamp(2.25rem,1.5rem+2.4vw,3.25rem)] leading-none">{children}</dd>
    </div>
  )
}

export type SummaryLine = {
  productName: string
  variantName: string
  imageUrl: string
  quantity: number
  unitPriceCents: number
}

/** A line of an order in a list; `children` add to its details. */
export function SummaryItem({ line, children }: { line: SummaryLine; children?: ReactNode }) {
  const { productName, variantName, imageUrl, quantity, unitPriceCents } = line
  const details = [variantName, quantity > 1 && `${quantity} × ${formatPrice(unitPriceCents)}`].filter(Boolean)
  return (
    <li className="grid grid-cols-[4.5rem_1fr] items-start gap-4">
      <div>
        <ResponsiveImage src={imageUrl} alt="" sizes="4.5rem" eager className="aspect-square w-full object-cover" />
      </div>
      <div className="flex min-w-0 justify-between gap-4">
        <div className="min-w-0">
          <p className="leading-tight font-extrabold wrap-anywhere">{productName}</p>
          {details.length > 0 && <p className="tabular-figures mt-1 text-sm">{details.join(', ')}</p>}
          {children}
        </div>
        <p className="tabular-figures shrink-0 font-semibold">{formatPrice(unitPriceCents * quantity)}</p>
      </div>
    </li>
  )
}

type BreakdownRowsProps = {
  breakdown: Omit<PriceBreakdown, 'currency'>
  /** Null without tax, and before it is known. */
  tax: OrderTax | null
  /** Null until the address is known or a pick-up is chosen; undefined if nothing ships. */
  shippingMethod: { name: string } | null | undefined
  code: string | null
}

/** Subtotal, discount, shipping and tax. Rows without a value reserve their space, to avoid a layout shift. */
export function BreakdownRows({ breakdown, tax, shippingMethod, code }: BreakdownRowsProps) {
  const { linesCents, discountCents, shippingCents, taxCents, taxIncluded } = breakdown
  const isAddressPending = shippingMethod === null
  const shippingText = shippingCents === 0 ? 'Free' : formatPrice(shippingCents)
  return (
    <>
      <SummaryRow term="Subtotal">{formatPrice(linesCents)}</SummaryRow>
      <SummaryRow term={code === null ? 'Promotion' : `Promotion ${code}`}>
        {discountCents > 0 ? `−${formatPrice(discountCents)}` : 'None'}
      </SummaryRow>
      {shippingMethod !== undefined && (
        <SummaryRow term={shippingMethod?.name ? `Shipping, ${shippingMethod.name}` : 'Shipping'}>
          {isAddressPending ? 'After your address' : shippingText}
        </SummaryRow>
      )}
      <SummaryRow term={taxLabel(tax, taxIncluded)}>
        {isAddressPending && taxCents === 0 ? 'After your address' : formatPrice(taxCents)}
      </SummaryRow>
    </>
  )
}
