import { clsx } from 'clsx'
import { ArrowDownRight, ArrowUpRight } from 'lucide-react'
import { Fragment } from 'react'

type Props = {
  label: string
  value: string
  /** Increase in the last 30 days and in the 30 days before. */
  change?: { last30: number; before30: number }
  format?: (value: number) => string
  note?: string
}

/** Longer values, such as a domain, get a smaller font. */
const MAX_LARGE_LENGTH = 12

/** A domain breaks after a dot rather than in the middle of a word. */
const AFTER_DOT = /(?<=\.)(?=[a-z])/i

export function MetricCard({ label, value, change, format = String, note }: Props) {
  const isUp = change !== undefined && change.last30 >= change.before30
  const Arrow = isUp ? ArrowUpRight : ArrowDownRight
  return (
    <div className="border-t-2 border-gold pt-3">
      <dt className="font-label text-muted">{label}</dt>
      <dd
        className={clsx(
          'tabular-figures mt-1 wrap-anywhere font-display',
          value.length > MAX_LARGE_LENGTH ? 'text-lg' : 'text-2xl',
        )}
      >
        {value.split(AFTER_DOT).map((part, index) => (
          <Fragment key={part}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </dd>
      {change && (
        <dd className="tabular-figures mt-2 flex gap-2 text-sm">
          <Arrow size={18} aria-hidden className={clsx('mt-0.5 shrink-0', isUp ? 'text-bay' : 'text-sunset')} />
          <span>
            +{format(change.last30)} in 30 days <span className="text-muted">({format(change.before30)} before)</span>
          </span>
        </dd>
      )}
      {note && <dd className="mt-2 text-sm text-muted">{note}</dd>}
    </div>
  )
}
