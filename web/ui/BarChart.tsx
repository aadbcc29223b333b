import { clsx } from 'clsx'

type Bar = {
  label: string
  value: number
  /** Shown at the right, for example '421 (42.4%)'. */
  valueText: string
}

type Props = {
  bars: readonly Bar[]
  label: string
  /** Value that fills the width; by default the largest value. */
  maxValue?: number
}

/** Horizontal bars with their values as text; the first is highlighted. */
export function BarChart({ bars, label, maxValue }: Props) {
  const max = maxValue ?? Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ol aria-label={label} className="grid gap-4">
      {bars.map((bar, index) => (
        <li key={bar.label}>
          <p className="flex items-baseline justify-between gap-4">
            <span className={clsx(index === 0 && 'font-semibold text-gold-bright')}>{bar.label}</span>
            <span className="tabular-figures shrink-0 text-sm">{bar.valueText}</span>
          </p>
          <svg aria-hidden="true" width="100%" height="8" className="mt-1.5 block bg-sleeve-high">
            <rect
              width={`${(bar.value / max) * 100}%`}
              height="8"
              className={clsx('bar-fill', index === 0 ? 'fill-gold' : 'fill-rule-strong')}
            />
          </svg>
        </li>
      ))}
    </ol>
  )
}
