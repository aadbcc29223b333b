import { useQuery } from '@tanstack/react-query'
import { Panel } from '../admin/Panel'
import { parkedEvents } from './desk-orders.queries'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** Payments that the provider speaks of and that fit no order; absent while there are none. */
export function ParkedEvents() {
  const { data } = useQuery(parkedEvents)
  if (!data || data.length === 0) return null
  return (
    <Panel title="Unplaced payments" note="The provider told of these, and they fit no order here. Look there first.">
      <ul>
        {data.map((event) => (
          <li key={event.id} className="border-b border-rule py-3 text-sm">
            <p>{event.reason}</p>
            <p className="mt-1 text-xs break-all text-muted">
              <time dateTime={event.receivedAt}>{day.format(Date.parse(event.receivedAt))}</time>, {event.type},{' '}
              {event.paymentIntentId ?? event.id}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
