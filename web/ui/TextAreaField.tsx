import { clsx } from 'clsx'
import { type ComponentProps, useId } from 'react'

type Props = ComponentProps<'textarea'> & { label: string; hint?: string; error?: string }

/** Several labelled lines to write on; what is wrong with them stands beneath, in words. */
export function TextAreaField({ label, hint, error, className, required, ...area }: Props) {
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
        <textarea
          id={id}
          rows={4}
          required={required}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          className="min-h-24 flex-1 resize-y bg-transparent py-3 outline-none"
          {...area}
        />
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-2 text-sm text-sunset">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-2 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
