import { clsx } from 'clsx'
import { LOW_STOCK_LIMIT } from '../../worker/contract/products'

type StockState = 'plenty' | 'few' | 'none'

export function stockState(stock: number): StockState {
  if (stock <= 0) return 'none'
  return stock < LOW_STOCK_LIMIT ? 'few' : 'plenty'
}

const STOCK_LABELS = {
  plenty: { text: 'Limited edition', tone: 'text-bay' },
  few: { text: 'Limited edition, few left', tone: 'text-gold-bright' },
  none: { text: 'Sold out', tone: 'text-sunset' },
} as const

export function StockLabel({ stock }: { stock: number }) {
  const { text, tone } = STOCK_LABELS[stockState(stock)]
  return (
    <p className={clsx('flex items-center gap-3 font-label', tone)}>
      <span aria-hidden="true" className="size-2.5 rounded-full bg-current" />
      {text}
    </p>
  )
}
