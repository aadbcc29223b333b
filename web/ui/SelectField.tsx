import { clsx } from 'clsx'
import { type ComponentProps, useId } from 'react'

type Props = ComponentProps<'select'> & {
  label: string
  options: readonly { value: string; label: string }[]
  hint?: string
  error?: string
}

/** One of a few, chosen from the platform's own list. */
export function SelectField({ label, options, hint, error, className, ...select }: Props) {
  const id = useId()
  return (
    <div className={className}>
      {/* In a row of its own as in TextField, beside which it stands. */}
      <div className="flex items-baseline">
        <label htmlFor={id} className="font-label text-muted">
          {label}
        </label>
      </div>
      <div className={clsx('field-line', error && 'field-line-wrong')}>
        <select
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
          className="min-h-12 w-0 flex-1 bg-ground text-ivory"
          {...select}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
      {error ? (
        <p id={`${id}-error`} className="mt-2 text-sm text-sunset">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="mt-2 text-sm text-muted">
            {hint}
          </p>
        )
      )}
    </div>
  )
}
