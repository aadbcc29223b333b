import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { CartQuote } from '../../worker/contract/cart'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { setPromotionCode, useCart } from './cart-store'

/** The cart's promotion code, which the checkout applies too. `quote` is undefined while loading. */
export function CartPromotionCode({ quote }: { quote: CartQuote | undefined }) {
  const { code } = useCart()
  const [isOpen, setIsOpen] = useState(false)
  const [isCodeMissing, setIsCodeMissing] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const wasOpen = useRef(false)
  const isApplied = code !== '' && quote !== undefined && quote.discountNotice === null
  const problem = code !== '' ? (quote?.discountNotice ?? undefined) : undefined
  const isFormShown = isOpen || problem !== undefined
  // Moves the focus, because opening and closing the form remove the pressed button.
  useEffect(() => {
    if (isOpen) form.current?.querySelector('input')?.focus()
    else if (wasOpen.current) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typedCode = String(new FormData(event.currentTarget).get('code')).trim()
    setIsCodeMissing(typedCode === '')
    setPromotionCode(typedCode)
    if (typedCode !== '') setIsOpen(false)
  }

  function remove() {
    setPromotionCode('')
    setIsOpen(false)
  }

  if (isApplied)
    return (
      <p className="flex min-h-12 items-center justify-between gap-4 text-sm">
        <span role="status">
          <strong className="tracking-wide">{code}</strong> is on this order.
        </span>
        <Button variant="text" aria-label={`Remove the code ${code}`} onClick={remove}>
          Remove
        </Button>
      </p>
    )
  if (!isFormShown)
    return (
      <button
        ref={opener}
        type="button"
        onClick={() => setIsOpen(true)}
        className="min-h-12 text-sm font-semibold underline underline-offset-4 hover:text-gold-bright"
      >
        {code === '' ? 'Add a promotion code' : `Checking ${code}`}
      </button>
    )
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid grid-cols-[1fr_auto] items-start gap-x-3">
      <TextField
        // Remounts the field with the rejected code.
        key={code}
        label="Promotion code"
        name="code"
        required
        defaultValue={code}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        error={isCodeMissing ? 'Please enter a code.' : problem}
      />
      <Button type="submit" className="mt-7">
        Apply
      </Button>
      {problem && (
        <Button variant="text" onClick={remove} className="col-span-2 -ml-3 justify-self-start">
          Remove the code
        </Button>
      )}
    </form>
  )
}
