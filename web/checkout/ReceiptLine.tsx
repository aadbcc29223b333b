import type { ReactNode } from 'react'

export function ReceiptLine({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="receipt-line">
      <dt>{term}</dt>
      <dd className="text-right font-semibold">{children}</dd>
    </div>
  )
}

export function ReceiptTotal({ term = 'Total', children }: { term?: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-t-4 border-background pt-4 not-last:pb-4">
      <dt className="font-label">{term}</dt>
      <dd className="font-display text-[clamp(2.25rem,1.5rem+2.4vw,3.25rem)] leading-none">{children}</dd>
    </div>
  )
}
