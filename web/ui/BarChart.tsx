import { clsx } from 'clsx'

type Bar = {
  label: string
  value: number
  /** What stands at the right: '421 (42.4%)'. */
  figure: string
}

/** Amounts side by side as bars, each with its figure in words: a list that reads without the drawing. */
export function BarChart({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ol aria-label={label} className="grid gap-4">
      {bars.map((bar, place) => (
        <li key={bar.label}>
          <p className="flex items-baseline justify-between gap-4">
            <span className={clsx(place === 0 && 'font-semibold text-gold-bright')}>{bar.label}</span>
            <span className="figures shrink-0 text-sm">{bar.figure}</span>
          </p>
          <svg aria-hidden="true" width="100%" height="8" className="mt-1.5 block bg-sleeve-high">
            <rect
              width={`${(bar.value / most) * 100}%`}
              height="8"
              className={clsx('bar', place === 0 ? 'fill-gold' : 'fill-rule-strong')}
            />
          </svg>
        </li>
      ))}
    </ol>
  )
}
