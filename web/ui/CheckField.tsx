import { type ComponentProps, useId } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type'> & { label: string; hint?: string }

/** A yes or no, with its words as large a target as the box. */
export function CheckField({ label, hint, className, ...input }: Props) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="flex min-h-12 cursor-pointer items-center gap-4">
        <input
          id={id}
          type="checkbox"
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="size-5 shrink-0 accent-gold"
          {...input}
        />
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
