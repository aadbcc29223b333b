import { useQuery } from '@tanstack/react-query'
import type { Order } from '../../worker/contract/orders'
import { QueryBoundary } from '../ui/QueryBoundary'
import { DownloadList } from './DownloadList'
import { orderDownloads } from './downloads.queries'

/** The downloads of a paid order, on its receipt; renders nothing without downloads. */
export function OrderDownloads({ order, secret }: { order: Order; secret: string }) {
  const query = useQuery(orderDownloads(order.id, secret))
  const hasDigitalGoods = order.lines.some(
    ({ kind, quantity, refundedQuantity }) => kind === 'digital' && refundedQuantity < quantity,
  )
  const hasDownloads = query.data ? query.data.length > 0 : hasDigitalGoods
  if (!hasDownloads) return null
  return (
    <section aria-labelledby="downloads-title" className="mt-12">
      <h2 id="downloads-title" className="mb-5 font-display text-xl">
        Your downloads
      </h2>
      <QueryBoundary
        query={query}
        loading={{ className: 'h-32 max-w-2xl', label: 'Loading your downloads' }}
        error="Your downloads could not be loaded."
      >
        {(downloads) => <DownloadList downloads={downloads} />}
      </QueryBoundary>
    </section>
  )
}
