import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { errorMessage } from '../api/call'
import { formatPrice, formatTime } from '../lib/format'
import { SummaryItem, type SummaryLine, SummaryTotal } from './SummaryRow'

type Props = {
  lines: readonly (SummaryLine & { variantId: string })[]
  totalCents: number
  /** Rows between the lines and the total. */
  rows: ReactNode
  /** How the total changed, or why a chosen quantity or cart was not accepted; null if neither happened. */
  changeText: string | null
  /** ISO 8601; null until the order exists. */
  reservedUntil: string | null
  /** Shown below the total. */
  children?: ReactNode
}

export function OrderSummary({ lines, totalCents, rows, changeText, reservedUntil, children }: Props) {
  return (
    <section aria-labelledby="order-title" className="receipt">
      <h2 id="order-title" className="font-label">
        Order summary
      </h2>
      <ul className="mt-5 mb-6 grid gap-5">
        {lines.map((line) => (
          <SummaryItem key={line.variantId} line={line} />
        ))}
      </ul>
      <dl className="tabular-figures">
        {rows}
        <SummaryTotal>{formatPrice(totalCents)}</SummaryTotal>
      </dl>
      <p role="status" className="mt-3 min-h-12 text-sm font-semibold">
        {changeText}
      </p>
      {children}
      {reservedUntil && (
        <p className="mt-5 text-sm">
          Reserved for you until <time dateTime={reservedUntil}>{formatTime(reservedUntil)}</time>.
        </p>
      )}
    </section>
  )
}

type PromotionCodeProps = {
  appliedCode: string | null
  /** Why a code no longer applies. */
  notice: string | null
  /** An empty code removes the applied one. Rejects with the server's message. */
  onApply: (code: string) => Promise<unknown>
  isChanging: boolean
}

export function PromotionCode({ appliedCode, notice, onApply, isChanging }: PromotionCodeProps) {
  const [error, setError] = useState<string>()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const wasApplied = useRef(false)
  // Moves the focus, because the pressed button is removed with the code.
  useEffect(() => {
    if (appliedCode === null && wasApplied.current) field.current?.focus()
    wasApplied.current = appliedCode !== null
  }, [appliedCode])
  // Stored, because the order's next change has no notice; the error remains until another code is tried.
  useEffect(() => {
    if (notice) setError(notice)
  }, [notice])

  async function apply(code: string) {
    if (isChanging) return
    setError(undefined)
    await onApply(code).catch((applyError: Error) => setError(errorMessage(applyError)))
  }

  if (appliedCode)
    return (
      <div className="mt-2 flex min-h-19 items-center justify-between gap-4 text-sm">
        <p role="status">
          <strong className="font-bold tracking-wide">{appliedCode}</strong> is on this order.
        </p>
        <button
          type="button"
          aria-disabled={isChanging}
          aria-label={`Remove the code ${appliedCode}`}
          onClick={() => void apply('')}
          className="receipt-action"
        >
          Remove
        </button>
      </div>
    )

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code')).trim()
    if (code === '') setError('Please enter a code.')
    else void apply(code)
  }

  return (
    <form noValidate onSubmit={submit} className="mt-2">
      <label htmlFor={id} className="font-label">
        Promotion code
      </label>
      <div className="receipt-field">
        <input
          ref={field}
          id={id}
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <button type="submit" aria-disabled={isChanging} className="receipt-action">
          Apply
        </button>
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-2 text-sm font-semibold text-sunset-deep">
          {error}
        </p>
      )}
    </form>
  )
}
