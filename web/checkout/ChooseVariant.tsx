import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Product } from '../../worker/contract/products'
import { formatCents, formatPrice, parseCents } from '../lib/format'
import { VariantPicker } from '../products/VariantPicker'
import { type Choice, choiceMissingText, chosenVariant, optionGroups } from '../products/variant-choice'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { OrderSummary } from './OrderSummary'
import { SummaryRow } from './SummaryRow'

/** Asks for a variant, and for a price if the buyer chooses it, before the payment. */
export function ChooseVariant({ product, quantity }: { product: Product; quantity: number }) {
  const navigate = useNavigate()
  const [choice, setChoice] = useState<Choice>({})
  const [showsMissingOption, setShowsMissingOption] = useState(false)
  const [price, setPrice] = useState<string>()
  const [priceError, setPriceError] = useState<string>()
  const groups = optionGroups(product, choice)
  const variant = chosenVariant(product, choice)
  const displayedVariant = variant ?? product.variants[0]
  const missingOption = groups.find(({ name }) => choice[name] === undefined)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!variant) {
      setShowsMissingOption(true)
      const name = missingOption?.name ?? ''
      event.currentTarget
        .querySelector<HTMLInputElement>(`[data-option="${CSS.escape(name)}"] input:not(:disabled)`)
        ?.focus()
      return
    }
    const cents = parseCents(price ?? formatCents(variant.priceCents))
    if (variant.minimumCents !== null && (cents === null || cents < variant.minimumCents))
      return setPriceError(`Enter at least ${formatPrice(variant.minimumCents)}.`)
    void navigate({
      to: '/checkout',
      search: {
        product: product.id,
        variant: variant.id,
        quantity,
        ...(variant.minimumCents !== null && cents !== null && { price: cents }),
      },
      resetScroll: false,
    })
  }

  return (
    <>
      <div className="col-span-full mb-10 lg:col-span-5 lg:col-start-8 lg:row-start-2 lg:mb-0">
        <OrderSummary
          lines={[
            {
              // Only a React key, because no variant is chosen yet.
              variantId: product.id,
              productName: product.name,
              variantName: variant?.name ?? '',
              imageUrl: variant?.imageUrl || product.imageUrl,
              quantity,
              unitPriceCents: displayedVariant?.priceCents ?? product.priceCents,
            },
          ]}
          totalCents={(displayedVariant?.priceCents ?? product.priceCents) * quantity}
          rows={<SummaryRow term="Quantity">{quantity}</SummaryRow>}
          changeText={null}
          reservedUntil={null}
        />
      </div>
      <form noValidate onSubmit={submit} className="col-span-full lg:col-span-6 lg:row-start-2">
        <h2 className="font-display text-xl">
          {missingOption ? `Choose your ${missingOption.name.toLowerCase()}` : 'Your choice'}
        </h2>
        <VariantPicker
          groups={groups}
          choice={choice}
          onChoose={(next) => {
            setShowsMissingOption(false)
            setChoice(next)
          }}
          error={
            showsMissingOption && missingOption
              ? { name: missingOption.name, text: choiceMissingText(missingOption) }
              : null
          }
        />
        {displayedVariant && displayedVariant.minimumCents !== null && (
          <TextField
            className="mt-6 max-w-72"
            label="Name your price"
            inputMode="decimal"
            required
            value={price ?? formatCents(displayedVariant.priceCents)}
            onChange={(event) => {
              setPrice(event.target.value)
              setPriceError(undefined)
            }}
            hint={`At least ${formatPrice(displayedVariant.minimumCents)}.`}
            error={priceError}
          />
        )}
        {product.sizeGuide && (
          <details className="mt-6 text-sm text-muted">
            <summary className="flex min-h-12 items-center font-semibold hover:text-gold-bright">Size guide</summary>
            <p className="whitespace-pre-line">{product.sizeGuide}</p>
          </details>
        )}
        <Button type="submit" variant="primary" className="pay-button mt-8">
          Continue to payment
        </Button>
      </form>
    </>
  )
}
