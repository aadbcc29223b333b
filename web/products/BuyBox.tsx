import { Link } from '@tanstack/react-router'
import { type RefObject, useRef, useState } from 'react'
import { LOW_STOCK_LIMIT, type Product, type ProductVariant } from '../../worker/contract/products'
import { addLine, openCart } from '../cart/cart-store'
import { chosenPriceError } from '../cart/chosen-price'
import { FormatList } from '../downloads/FormatList'
import { formatCents, formatPrice, getCurrency, parseCents } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { StockAlert } from './StockAlert'
import { VariantPicker } from './VariantPicker'
import { type Choice, choiceMissingText, chosenVariant, isInStock, optionGroups, priceRange } from './variant-choice'

type Props = { product: Product; choice: Choice; onChoose: (choice: Choice) => void }

/** Variant, price and the buttons to buy a product. */
export function BuyBox({ product, choice, onChoose }: Props) {
  const [isChoiceMissing, setIsChoiceMissing] = useState(false)
  const [typedPrice, setTypedPrice] = useState<string>()
  const [priceError, setPriceError] = useState<string | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const groups = optionGroups(product, choice)
  const variant = chosenVariant(product, choice)
  const isSoldOut = !product.variants.some(isInStock)
  const missingOption = groups.find(({ name }) => choice[name] === undefined)
  // Sold-out products show a price too.
  const pricedVariant = variant ?? product.variants[0]
  const minimumCents = pricedVariant?.minimumCents ?? null

  /** The chosen price in cents, null for a fixed price. If it is invalid, shows the error and returns undefined. */
  function readPrice(chosen: ProductVariant): number | null | undefined {
    if (chosen.minimumCents === null) return null
    const cents = parseCents(typedPrice ?? formatCents(chosen.priceCents))
    if (cents !== null && chosenPriceError(cents, chosen.minimumCents) === null) return cents
    setPriceError(chosenPriceError(cents, chosen.minimumCents))
    box.current?.querySelector<HTMLInputElement>('[name=price]')?.focus()
    return undefined
  }

  /** The chosen variant and price. If the choice is incomplete, shows the error and returns null. */
  function readChoice(): { variant: ProductVariant; unitPriceCents: number | null } | null {
    if (!variant) {
      setIsChoiceMissing(true)
      focusOption(box, missingOption?.name)
      return null
    }
    const unitPriceCents = readPrice(variant)
    return unitPriceCents === undefined ? null : { variant, unitPriceCents }
  }

  function addToCart() {
    const chosen = readChoice()
    if (!chosen) return
    const { id: variantId, name: variantName, imageUrl, priceCents, stock } = chosen.variant
    const seen = {
      slug: product.slug,
      productName: product.name,
      variantName,
      imageUrl: imageUrl || product.imageUrl,
      priceCents: chosen.unitPriceCents ?? priceCents,
    }
    if (addLine({ variantId, quantity: 1, unitPriceCents: chosen.unitPriceCents, seen }, stock)) openCart()
    else
      toast({
        title: 'Your cart is full',
        text: 'Check out what is in it, or remove something first.',
        tone: 'destructive',
      })
  }

  return (
    <div ref={box}>
      <FormatList variantIds={variant ? [variant.id] : product.variants.map(({ id }) => id)} />
      <p aria-live="polite" className="tabular-figures foil-text product-price font-display">
        {priceText(product, variant)}
      </p>
      <VariantPicker
        groups={groups}
        choice={choice}
        onChoose={(next) => {
          setIsChoiceMissing(false)
          setPriceError(null)
          onChoose(next)
        }}
        error={
          isChoiceMissing && missingOption ? { name: missingOption.name, text: choiceMissingText(missingOption) } : null
        }
      />
      {minimumCents !== null && !isSoldOut && !product.checkoutUrl && (
        <TextField
          className="mt-6 max-w-72"
          label="Name your price"
          name="price"
          inputMode="decimal"
          autoComplete="off"
          required
          after={<span className="font-label text-muted">{getCurrency()}</span>}
          value={typedPrice ?? formatCents(pricedVariant?.priceCents ?? 0)}
          onChange={(event) => {
            setTypedPrice(event.target.value)
            setPriceError(null)
          }}
          hint={priceHint(minimumCents, pricedVariant?.priceCents ?? 0)}
          error={priceError ?? undefined}
        />
      )}
      <StockMessage product={product} variant={variant} />
      <div className="mt-6 grid gap-3 sm:max-w-md">
        {isSoldOut && (
          <Button variant="outline" disabled>
            Sold out
          </Button>
        )}
        {!isSoldOut && product.checkoutUrl && (
          <a href={product.checkoutUrl} target="_blank" rel="noopener" className={buttonClass('primary', 'min-h-14')}>
            Buy Now
            <span className="sr-only">(opens in a new tab)</span>
          </a>
        )}
        {!isSoldOut && !product.checkoutUrl && (
          <>
            <Button variant="primary" className="min-h-14" onClick={addToCart}>
              Add to cart
            </Button>
            <Link
              to="/checkout"
              search={{ product: product.id, ...checkoutChoice(product, variant, typedPrice), quantity: 1 }}
              className={buttonClass('outline', 'min-h-14')}
            >
              Buy Now
            </Link>
          </>
        )}
      </div>
      {!product.checkoutUrl && <StockAlert product={product} />}
    </div>
  )
}

/** The choice as search parameters of the checkout, which asks for what is missing. */
function checkoutChoice({ variants }: Product, variant: ProductVariant | null, price: string | undefined) {
  if (!variant) return {}
  const cents = variant.minimumCents === null || price === undefined ? null : parseCents(price)
  return { ...(variants.length > 1 && { variant: variant.id }), ...(cents !== null && { price: cents }) }
}

function focusOption(box: RefObject<HTMLDivElement | null>, name: string | undefined): void {
  if (name === undefined) return
  box.current?.querySelector<HTMLInputElement>(`[data-option="${CSS.escape(name)}"] input:not(:disabled)`)?.focus()
}

function priceText(product: Product, variant: ProductVariant | null): string {
  if (variant) return formatPrice(variant.priceCents)
  const [lowest, highest] = priceRange(product)
  return lowest === highest ? formatPrice(lowest) : `From ${formatPrice(lowest)}`
}

const priceHint = (minimumCents: number, suggestedCents: number): string =>
  minimumCents === 0
    ? `Pay what you want, from nothing up. We suggest ${formatPrice(suggestedCents)}.`
    : `Pay what you want, at least ${formatPrice(minimumCents)}. We suggest ${formatPrice(suggestedCents)}.`

/** '3 left' for a chosen variant with little stock, else an empty line; nothing if no variant's stock is limited. */
function StockMessage({ product, variant }: { product: Product; variant: ProductVariant | null }) {
  const stock = variant?.stock ?? null
  const isLow = stock !== null && stock > 0 && stock < LOW_STOCK_LIMIT
  if (product.variants.every((each) => each.stock === null)) return null
  return (
    <p role="status" className="mt-4 min-h-6 text-sm font-semibold text-gold-bright">
      {isLow && `${stock} left`}
    </p>
  )
}
