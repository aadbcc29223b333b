import { type FormEvent, useId, useState } from 'react'
import { errorMessage } from '../api/call'

type Props = {
  /** The code that the order has now; null for none. */
  applied: string | null
  /** Puts a code on the order; rejects with the server's sentence. */
  onApply: (code: string) => Promise<unknown>
  /** Something about the order is being changed already. */
  changing: boolean
}

/** A code from the broadcast channel. It is folded away until somebody has one. */
export function PromotionCode({ applied, onApply, changing }: Props) {
  const [problem, setProblem] = useState<string>()
  const id = useId()
  if (applied)
    return (
      <p role="status" className="mt-5 text-sm">
        <strong className="font-bold tracking-wide">{applied}</strong> is on this order.
      </p>
    )

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (changing) return
    const code = String(new FormData(event.currentTarget).get('code')).trim()
    if (code === '') return setProblem('Please enter a code.')
    setProblem(undefined)
    await onApply(code).catch((error: Error) => setProblem(errorMessage(error)))
  }

  return (
    <form noValidate onSubmit={submit} className="mt-5">
      <label htmlFor={id} className="font-label">
        Promotion code
      </label>
      <div className="receipt-field">
        <input
          id={id}
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          placeholder="From the broadcast channel"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
        />
        <button type="submit" aria-disabled={changing} className="receipt-action">
          Apply
        </button>
      </div>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-2 text-sm font-semibold text-sunset-deep">
          {problem}
        </p>
      )}
    </form>
  )
}
