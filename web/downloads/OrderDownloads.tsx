import { useQuery } from '@tanstack/react-query'
import type { Order } from '../../worker/contract/orders'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { DownloadList } from './DownloadList'
import { orderDownloads } from './downloads.queries'

/** The downloads of a paid order, on its receipt; renders nothing without downloads. */
export function OrderDownloads({ order, secret }: { order: Order; secret: string }) {
  const { data, isError, isFetching, refetch } = useQuery(orderDownloads(order.id, secret))
  const isExpected = order.lines.some(
    ({ kind, quantity, refundedQuantity }) => kind === 'digital' && refundedQuantity < quantity,
  )
  if (data ? data.length === 0 : !isExpected) return null
  return (
    <section aria-labelledby="downloads-title" className="mt-12">
      <h2 id="downloads-title" className="mb-5 font-display text-xl">
        Your downloads
      </h2>
      {data ? (
        <DownloadList downloads={data} />
      ) : isError ? (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          Your downloads could not be loaded.
        </LoadError>
      ) : (
        <Skeleton className="h-32 max-w-2xl" label="Loading your downloads" />
      )}
    </section>
  )
}
