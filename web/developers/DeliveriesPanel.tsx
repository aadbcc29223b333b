import { developersApi, type Webhook, type WebhookDelivery } from '../../worker/contract/developers'
import { RETENTION } from '../../worker/contract/retention'
import { useAdminMutation } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import type { AdminListDefinition, ListColumn } from '../admin/list/list-definition'
import { call } from '../api/call'
import { formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { toast, toastError } from '../ui/toast'

const DELIVERY_STATE_LABELS: Record<WebhookDelivery['state'], { label: string; color: string }> = {
  waiting: { label: 'Waiting', color: 'text-gold-bright' },
  delivered: { label: 'Delivered', color: 'text-bay' },
  failed: { label: 'Failed', color: 'text-sunset' },
}

const deliveryColumns: readonly ListColumn<WebhookDelivery>[] = [
  {
    id: 'type',
    header: 'Event',
    cell: (row) => (
      <details>
        <summary className="flex min-h-11 cursor-pointer items-center font-semibold">{row.type}</summary>
        <p className="text-sm wrap-anywhere text-muted">webhook-id: {row.eventId}</p>
        <pre className="mt-2 max-w-prose overflow-x-auto bg-sleeve p-3 text-sm whitespace-pre-wrap wrap-anywhere">
          {row.body}
        </pre>
      </details>
    ),
  },
  {
    id: 'createdAt',
    header: 'Time',
    cell: (row) => <span className="tabular-figures">{formatDateTime(row.createdAt)}</span>,
  },
  {
    id: 'state',
    header: 'State',
    cell: (row) => (
      <>
        <span className={DELIVERY_STATE_LABELS[row.state].color}>{DELIVERY_STATE_LABELS[row.state].label}</span>
        {row.nextAttemptAt && row.attempts.length > 0 && (
          <span className="block text-sm text-muted">Next attempt {formatDateTime(row.nextAttemptAt)}</span>
        )}
      </>
    ),
  },
  {
    id: 'attempts',
    header: 'Attempts',
    cell: (row) => (
      <ol className="grid gap-1 text-sm">
        {row.attempts.map(({ at, status, milliseconds, error }) => (
          <li key={at} className={error === null ? undefined : 'text-sunset'}>
            {error ?? `Status ${status}`} <span className="whitespace-nowrap text-muted">({milliseconds} ms)</span>
          </li>
        ))}
        {row.attempts.length === 0 && <li className="text-muted">None yet</li>}
      </ol>
    ),
  },
]

type Props = { webhook: Webhook; onNewSecret: (secret: string) => void }

/**
 * The latest deliveries of a webhook, with actions to send a test event, send a delivery again and replace the secret.
 */
export function DeliveriesPanel({ webhook, onNewSecret }: Props) {
  const { id } = webhook
  const keys = ['webhook-deliveries', 'webhooks', 'audit']
  const list: AdminListDefinition<'/api/admin/webhooks/:id/deliveries', WebhookDelivery> = {
    name: 'webhook-deliveries',
    title: `Deliveries to ${new URL(webhook.url).host}`,
    endpoint: developersApi.deliveries,
    input: { id },
    urlPrefix: 'deliveries.',
    nameOf: (row) => `${row.type} of ${formatDateTime(row.createdAt)}`,
    refetchInterval: (rows) => (rows.some(({ state }) => state === 'waiting') ? 3_000 : false),
    empty: 'Nothing has been sent yet. Send a test event to see whether your server receives it.',
    columns: deliveryColumns,
  }
  const test = useAdminMutation(() => call(developersApi.testWebhook, { id }), keys)
  const replay = useAdminMutation((deliveryId: string) => call(developersApi.replay, { id: deliveryId }), keys)
  const rotate = useAdminMutation(() => call(developersApi.rotateSecret, { id }), keys)
  return (
    <AdminList
      list={list}
      note={`The latest 100, deleted after ${RETENTION.webhookDeliveryDays} days. Every attempt to send an event has the same webhook-id.`}
      tools={
        <>
          <Button
            aria-disabled={rotate.isPending}
            onClick={() =>
              !rotate.isPending &&
              rotate.mutate(undefined, {
                onSuccess: ({ secret }) => onNewSecret(secret),
                onError: toastError('Not replaced'),
              })
            }
          >
            Replace the secret
          </Button>
          <Button
            aria-disabled={test.isPending}
            onClick={() =>
              !test.isPending &&
              test.mutate(undefined, {
                onSuccess: () => toast({ title: 'Test event sent' }),
                onError: toastError('Not sent'),
              })
            }
          >
            Send a test event
          </Button>
        </>
      }
      actions={(row) => (
        <Button
          variant="text"
          aria-label={`Send again: ${row.type}`}
          aria-disabled={replay.isPending}
          onClick={() => replay.isPending || replay.mutate(row.id, { onError: toastError('Not sent') })}
        >
          Send again
        </Button>
      )}
    />
  )
}
