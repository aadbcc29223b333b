import { clsx } from 'clsx'
import type { ComponentProps, CSSProperties } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> & {
  label: string
  value: number
  /** The value as text for assistive technology. */
  valueText: string
  max: number
  onValueChange: (value: number) => void
}

/** A native range input. */
export function Range({ label, value, valueText, max, onValueChange, className, ...rest }: Props) {
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={valueText}
      min={0}
      max={max}
      value={value}
      onChange={(event) => onValueChange(event.target.valueAsNumber)}
      className={clsx('range', className)}
      style={{ '--filled-fraction': max > 0 ? value / max : 0 } as CSSProperties}
      {...rest}
    />
  )
}
