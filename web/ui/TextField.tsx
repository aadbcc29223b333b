import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'

type Props = ComponentProps<'input'> & {
  label: string
  /** Stands under the field and is read out with it. */
  hint?: ReactNode
  /** One sentence on what is wrong with the value; undefined while nothing is. */
  error?: string
  /** Stands at the field's right end, inside its line. */
  after?: ReactNode
}

/** A labelled line to write on. What is wrong with it stands beneath it, in words, tied to it for screen readers. */
export function TextField({ label, hint, error, after, className, required, ...input }: Props) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={className}>
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-label text-muted">
          {label}
        </label>
        {!required && <span className="text-xs text-muted">optional</span>}
      </div>
      <div className={clsx('field-line', error && 'field-line-wrong')}>
        <input
          id={id}
          required={required}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          {...input}
        />
        {after}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-2 text-sm text-sunset">
          {error}
        </p>
      )}
      {hint && (
        <div id={`${id}-hint`} className="mt-2 text-sm text-muted">
          {hint}
        </div>
      )}
    </div>
  )
}
