import { clsx } from 'clsx'
import type { ComponentProps, CSSProperties } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> & {
  label: string
  value: number
  /** The value as text for assistive technology. */
  valueText: string
  max: number
  onValue: (value: number) => void
}

/** A native range input. */
export function Range({ label, value, valueText, max, onValue, className, ...rest }: Props) {
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={valueText}
      min={0}
      max={max}
      value={value}
      onChange={(event) => onValue(event.target.valueAsNumber)}
      className={clsx('range', className)}
      style={{ '--share': max > 0 ? value / max : 0 } as CSSProperties}
      {...rest}
    />
  )
}
