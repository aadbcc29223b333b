import { type FormEvent, useState } from 'react'
import { centsToDollars, formatPrice, getCurrency, parseCents } from '../lib/format'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { setPrice } from './cart-store'
import { chosenPriceError } from './chosen-price'

type Props = { name: string; variantId: string; cents: number; minimumCents: number }

/** Input for the unit price of a pay-what-you-want line. */
export function PriceField({ name, variantId, cents, minimumCents }: Props) {
  const [text, setText] = useState(() => centsToDollars(cents))
  const [error, setError] = useState<string | null>(null)
  const isChanged = parseCents(text) !== cents
  function save(event: FormEvent) {
    event.preventDefault()
    const chosen = parseCents(text)
    const problem = chosenPriceError(chosen, minimumCents)
    setError(problem)
    if (problem === null && chosen !== null) setPrice(variantId, chosen)
  }
  return (
    <form noValidate onSubmit={save} className="grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start gap-3">
      <TextField
        className="w-full max-w-60"
        label="Your price"
        aria-label={`Your price for ${name}`}
        inputMode="decimal"
        autoComplete="off"
        required
        after={<span className="font-label text-muted">{getCurrency()}</span>}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setError(null)
        }}
        hint={`At least ${formatPrice(minimumCents)}`}
        error={error ?? undefined}
      />
      {isChanged && (
        <Button type="submit" className="px-4">
          Update
        </Button>
      )}
    </form>
  )
}
