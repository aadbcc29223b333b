import { useQuery } from '@tanstack/react-query'
import { Panel } from '../admin/Panel'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { parkedEvents, useDismissEvent } from './orders-admin.queries'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** Refunds that were refused, payments that fit no order, banks' questions; absent while there are none. */
export function ParkedEvents() {
  const { data } = useQuery(parkedEvents)
  const dismiss = useDismissEvent()
  if (!data || data.length === 0) return null
  return (
    <Panel
      title="Payments to look at"
      note="Nothing was done about these here. Search for the order, or look at the provider."
    >
      <ul>
        {data.map((event) => (
          <li key={event.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-rule py-3 text-sm">
            <div className="min-w-60 flex-1">
              <p>{event.reason}</p>
              <p className="mt-1 text-xs break-all text-muted">
                <time dateTime={event.receivedAt}>{day.format(Date.parse(event.receivedAt))}</time>, {event.type},{' '}
                {[event.orderId, event.paymentIntentId ?? event.id].filter(Boolean).join(', ')}
              </p>
            </div>
            {event.dismissable && (
              <Button
                aria-label={`Seen: ${event.reason}`}
                aria-disabled={dismiss.isPending}
                onClick={() => !dismiss.isPending && dismiss.mutate(event.id)}
              >
                Seen
              </Button>
            )}
          </li>
        ))}
      </ul>
      {dismiss.error && (
        <p role="alert" className="mt-4 border-l-4 border-sunset bg-sleeve p-4 text-sm">
          {errorMessage(dismiss.error)}
        </p>
      )}
    </Panel>
  )
}
