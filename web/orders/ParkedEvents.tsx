import { useQuery } from '@tanstack/react-query'
import { Panel } from '../admin/Panel'
import { parkedEvents } from './desk-orders.queries'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** Payments that fit no order, banks' questions, and refunds that were refused; absent while there are none. */
export function ParkedEvents() {
  const { data } = useQuery(parkedEvents)
  if (!data || data.length === 0) return null
  return (
    <Panel
      title="Payments to look at"
      note="Nothing was done about these here. Search for the order, or look at the provider."
    >
      <ul>
        {data.map((event) => (
          <li key={event.id} className="border-b border-rule py-3 text-sm">
            <p>{event.reason}</p>
            <p className="mt-1 text-xs break-all text-muted">
              <time dateTime={event.receivedAt}>{day.format(Date.parse(event.receivedAt))}</time>, {event.type},{' '}
              {[event.orderId, event.paymentIntentId ?? event.id].filter(Boolean).join(', ')}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
