import { type ComponentProps, useId } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type'> & { label: string; hint?: string; error?: string }

/** A yes or no, with its words as large a target as the box. */
export function CheckField({ label, hint, error, className, ...input }: Props) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="flex min-h-12 cursor-pointer items-center gap-4">
        <input
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
          className="size-5 shrink-0 accent-gold"
          {...input}
        />
        {label}
      </label>
      {error ? (
        <p id={`${id}-error`} className="text-sm text-sunset">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )
      )}
    </div>
  )
}
