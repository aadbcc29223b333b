import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PackingSlip } from '../../worker/contract/orders'
import { RecordHeader } from '../admin/RecordHeader'
import { toScreen, useScreenSearch } from '../admin/screen-location'
import { errorMessage } from '../api/call'
import { addressLines } from '../checkout/address-lines'
import { formatCountOf, formatLongDate } from '../lib/format'
import { useSite } from '../site/site.queries'
import { Button } from '../ui/Button'
import { EmptyNotice } from '../ui/EmptyNotice'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { linesToShip } from './order-shipping'
import { packingSlipsQuery } from './orders-admin.queries'

type PageProps = { title: string; note: string; children: (slips: readonly PackingSlip[]) => ReactNode }

function PrintPage({ title, note, children }: PageProps) {
  const [{ orders = '' }] = useScreenSearch()
  const ids = [...new Set(orders.split(',').filter(Boolean))]
  const query = useQuery({ ...packingSlipsQuery(ids), enabled: ids.length > 0 })
  const navigate = useNavigate()
  return (
    <>
      <div className="print:hidden">
        <RecordHeader back="orders" title={title} />
        <p className="mb-6 max-w-prose text-muted">{note} The audit log records that you read these addresses.</p>
      </div>
      {orders === '' && (
        <EmptyNotice>
          <p>Select orders in the list first, then choose {title} there.</p>
          <Button className="mt-4" onClick={() => void navigate(toScreen('orders'))}>
            Go to the orders
          </Button>
        </EmptyNotice>
      )}
      {query.data && (
        <>
          <Button variant="primary" className="mb-8 print:hidden" onClick={() => window.print()}>
            <Printer size={18} aria-hidden />
            Print
          </Button>
          {children(query.data)}
        </>
      )}
      {!query.data && query.error && (
        <LoadError onRetry={() => void query.refetch()} retrying={query.isFetching}>
          {`The orders could not be loaded. ${errorMessage(query.error)}`}
        </LoadError>
      )}
      {query.isLoading && <Skeleton label={`Loading ${title.toLowerCase()}`} className="h-96" />}
    </>
  )
}

const Address = ({ address }: { address: NonNullable<PackingSlip['shippingAddress']> }) => (
  <address className="not-italic wrap-anywhere" dir="auto">
    {addressLines(address).map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines can repeat, and their order does not change.
      <span key={index} className={index === 0 ? 'block font-semibold' : 'block'}>
        {line}
      </span>
    ))}
  </address>
)

/** /admin/packing-slips?orders=: a page for each order, without prices. */
export function PackingSlipsPage() {
  const siteName = useSite()?.artist.name ?? ''
  return (
    <PrintPage
      title="Packing slips"
      note="One page for each order. Print them, or save them as a PDF in the print window."
    >
      {(slips) =>
        slips.map(({ order, shippingAddress }) => (
          <article key={order.id} aria-label={`Packing slip ${order.id}`} className="packing-slip">
            <header className="flex flex-wrap justify-between gap-6">
              <div>
                <p className="text-xl font-bold">{siteName}</p>
                <p>Packing slip</p>
              </div>
              <p className="text-right">
                Order {order.id}
                <span className="block">{formatLongDate(order.createdAt)}</span>
              </p>
            </header>
            <div className="mt-6">
              {shippingAddress ? (
                <Address address={shippingAddress} />
              ) : (
                <p>{order.shippingMethod?.name ?? 'No address'}</p>
              )}
            </div>
            <table className="mt-6 w-full text-left">
              <thead>
                <tr>
                  <th scope="col" className="w-24 py-1">
                    Quantity
                  </th>
                  <th scope="col" className="py-1">
                    Item
                  </th>
                  <th scope="col" className="py-1">
                    SKU
                  </th>
                </tr>
              </thead>
              <tbody>
                {linesToShip(order).map((line) => (
                  <tr key={line.id} className="break-inside-avoid border-t border-current align-top">
                    <td className="py-2">{line.remainingQuantity}</td>
                    <td className="py-2 pr-4 wrap-anywhere">
                      {line.productName}
                      {line.variantName && `, ${line.variantName}`}
                      {line.items.map(({ name, quantity }) => (
                        <span key={name} className="block pl-4">
                          {quantity * line.remainingQuantity} × {name}
                        </span>
                      ))}
                    </td>
                    <td className="py-2 wrap-anywhere">{line.sku}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p className="mt-8">Thank you for your order.</p>
          </article>
        ))
      }
    </PrintPage>
  )
}

/** /admin/labels?orders=: the addresses of the orders that have one. */
export function LabelsPage() {
  return (
    <PrintPage title="Address labels" note="Two labels per row. Print them, or save them as a PDF in the print window.">
      {(slips) => {
        const labels = slips.flatMap(({ order, shippingAddress }) =>
          shippingAddress ? [{ id: order.id, address: shippingAddress }] : [],
        )
        const withoutAddress = slips.filter(({ shippingAddress }) => !shippingAddress).map(({ order }) => order.id)
        return (
          <>
            {withoutAddress.length > 0 && (
              <p role="status" className="mb-6 border-l-4 border-sunset bg-sleeve p-4 wrap-anywhere print:hidden">
                {formatCountOf(withoutAddress.length, 'order')} without an address left out: {withoutAddress.join(', ')}
                .
              </p>
            )}
            <ul className="address-labels">
              {labels.map(({ id, address }) => (
                <li key={id}>
                  <Address address={address} />
                  <p className="mt-2 text-xs wrap-anywhere">{id}</p>
                </li>
              ))}
            </ul>
          </>
        )
      }}
    </PrintPage>
  )
}
