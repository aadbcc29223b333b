import { clsx } from 'clsx'
import { stockState } from './stock'

const LABELS = {
  plenty: { words: 'Limited edition', tone: 'text-bay' },
  few: { words: 'Limited edition, few left', tone: 'text-gold-bright' },
  none: { words: 'Sold out', tone: 'text-sunset' },
} as const

/** What is left of a limited piece, in words and colour. */
export function StockLabel({ stock }: { stock: number }) {
  const { words, tone } = LABELS[stockState(stock)]
  return (
    <p className={clsx('flex items-center gap-3 font-label', tone)}>
      <span aria-hidden="true" className="size-2.5 rounded-full bg-current" />
      {words}
    </p>
  )
}
