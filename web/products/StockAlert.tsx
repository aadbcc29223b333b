import { useMutation } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { MAX_EMAIL_CHARS } from '../../worker/contract/credential-rules'
import type { Product } from '../../worker/contract/products'
import { stockAlertsApi } from '../../worker/contract/stock-alerts'
import { call, errorMessage } from '../api/call'
import { useMe } from '../auth/auth.queries'
import { useTurnstile } from '../turnstile/useTurnstile'
import { Button } from '../ui/Button'
import { SelectField, TextField } from '../ui/Field'
import { GroupError } from '../ui/FormError'
import { isInStock } from './variant-choice'

/** Asks for an address to email once a sold-out variant is back. */
export function StockAlert({ product }: { product: Product }) {
  const soldOut = product.variants.filter((variant) => !isInStock(variant))
  const isAllSoldOut = soldOut.length === product.variants.length
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  if (soldOut.length === 0) return null
  if (isAllSoldOut)
    return (
      <div className="mt-6">
        <p className="font-label text-gold-bright">Tell me when it is back</p>
        <StockAlertForm product={product} variants={soldOut} />
      </div>
    )
  return (
    <div className="mt-2">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-12 items-center gap-3 text-sm text-muted underline decoration-rule-strong underline-offset-4 hover:text-gold-bright"
      >
        <BellRing size={18} aria-hidden />
        {soldOut.length === 1 ? `${soldOut[0]?.name} is sold out. ` : 'Yours is sold out? '}
        Tell me when it is back
      </button>
      <div id={id} hidden={!isOpen}>
        <StockAlertForm product={product} variants={soldOut} />
      </div>
    </div>
  )
}

type FormProps = { product: Product; variants: Product['variants'] }

function StockAlertForm({ product, variants }: FormProps) {
  const email = useMe()?.email ?? ''
  const turnstile = useTurnstile('stock_alert')
  const add = useMutation({
    mutationFn: async (body: { variantId: string; email: string }) =>
      call(stockAlertsApi.add, { body: { ...body, ...(await turnstile.getToken()) } }),
  })
  const [isEmpty, setIsEmpty] = useState(false)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const typedEmail = String(form.get('email')).trim()
    setIsEmpty(typedEmail === '')
    if (typedEmail === '' || add.isPending) return
    add.mutate({ variantId: String(form.get('variant') ?? variants[0]?.id), email: typedEmail })
  }
  if (add.isSuccess)
    return (
      <p role="status" className="callout mt-4 max-w-md">
        Check your inbox and confirm. Then we’ll email you once, when it is back.
      </p>
    )
  return (
    <form noValidate onSubmit={submit} className="mt-4 grid max-w-md gap-5 border-l-4 border-rule pl-5">
      {variants.length > 1 && (
        <SelectField
          label={Object.keys(variants[0]?.options ?? {}).join(', ') || 'Option'}
          name="variant"
          options={variants.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <TextField
        key={email}
        label="Email"
        type="email"
        name="email"
        autoComplete="email"
        maxLength={MAX_EMAIL_CHARS}
        required
        defaultValue={email}
        hint="One email when it is back, and none after that."
        error={isEmpty ? 'Enter the address that we should email.' : undefined}
      />
      {add.error && <GroupError>{errorMessage(add.error)}</GroupError>}
      <Button type="submit" aria-disabled={add.isPending} aria-label={`Tell me when ${product.name} is back`}>
        {add.isPending ? 'One moment' : 'Tell me'}
      </Button>
      {turnstile.widget}
    </form>
  )
}
