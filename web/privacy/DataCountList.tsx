import type { AddressRecords } from '../../worker/contract/privacy'

const LABELS: Record<keyof AddressRecords, string> = {
  newsletter: 'Newsletter',
  showAlerts: 'Show alerts',
  verses: 'Verses',
  orders: 'Orders',
  ordersUnderWay: 'Of these under way',
  mails: 'Mails to it',
  inquiries: 'Inquiries',
}

/** How much of each kind there is. */
export function DataCountList({ found, className = '' }: { found: AddressRecords; className?: string }) {
  return (
    <dl className={`grid max-w-md grid-cols-[1fr_auto] gap-x-8 ${className}`}>
      {(Object.keys(LABELS) as (keyof AddressRecords)[]).map((kind) => (
        <div key={kind} className="col-span-full grid grid-cols-subgrid border-b border-rule py-2">
          <dt className={found[kind] === 0 ? 'text-muted' : undefined}>{LABELS[kind]}</dt>
          <dd className="figures text-right">{found[kind] || <span className="text-muted">none</span>}</dd>
        </div>
      ))}
    </dl>
  )
}
