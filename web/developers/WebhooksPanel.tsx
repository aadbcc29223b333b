import { useState } from 'react'
import { developersApi, WEBHOOK_EVENT_LABELS, type Webhook } from '../../worker/contract/developers'
import { useAdminMutation } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import type { AdminListDefinition } from '../admin/list/list-definition'
import { RowActions } from '../admin/RowActions'
import { ScreenLink } from '../admin/ScreenLink'
import { toScreen } from '../admin/screen-location'
import { call } from '../api/call'
import { buttonClass } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toast, toastError } from '../ui/toast'

const pageOf = (id: string) => toScreen('webhook', { params: { id } })

const WEBHOOK_STATE_LABELS: Record<Webhook['state'], { label: string; color: string }> = {
  active: { label: 'On', color: 'text-bay' },
  off: { label: 'Off', color: 'text-muted' },
  failing: { label: 'Off: nothing could be delivered for days', color: 'text-sunset' },
  gone: { label: 'Off: the receiver is gone', color: 'text-sunset' },
}

const webhookList: AdminListDefinition<'/api/admin/webhooks', Webhook> = {
  name: 'webhooks',
  title: 'Webhooks',
  endpoint: developersApi.webhooks,
  urlPrefix: 'webhooks.',
  nameOf: (row) => row.url,
  linkOf: ({ id }) => pageOf(id),
  empty: 'No webhooks yet. Add the address of a server to notify.',
  columns: [
    { id: 'url', header: 'Address', cell: (row) => <span className="wrap-anywhere">{row.url}</span> },
    {
      id: 'events',
      header: 'Events',
      cell: (row) => (
        <span className="text-sm">{row.events.map((event) => WEBHOOK_EVENT_LABELS[event]).join('; ')}</span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      cell: (row) => (
        <span className={WEBHOOK_STATE_LABELS[row.state].color}>{WEBHOOK_STATE_LABELS[row.state].label}</span>
      ),
    },
  ],
}

/** All webhooks; each has a page with its form and deliveries. */
export function WebhooksPanel() {
  const [removing, setRemoving] = useState<Webhook | null>(null)
  const remove = useAdminMutation((id: string) => call(developersApi.removeWebhook, { id }), ['webhooks', 'audit'])
  return (
    <>
      <AdminList
        list={webhookList}
        note="When something happens, the site sends a signed request to your server. Failed deliveries are tried again for three days."
        tools={
          <ScreenLink screen="webhook" params={{ id: 'new' }} className={buttonClass()}>
            Add a webhook
          </ScreenLink>
        }
        actions={(row) => <RowActions name={row.url} page={pageOf(row.id)} onDelete={() => setRemoving(row)} />}
      />
      {removing && (
        <ConfirmDialog
          title={`Delete the webhook to ${new URL(removing.url).host}?`}
          confirmLabel="Delete the webhook"
          pending={remove.isPending}
          onClose={() => setRemoving(null)}
          onConfirm={() =>
            remove.mutate(removing.id, {
              onSuccess: () => toast({ title: 'Deleted', text: 'Nothing is sent there anymore.' }),
              onError: toastError('Not deleted'),
              onSettled: () => setRemoving(null),
            })
          }
        >
          <p>Its deliveries are deleted too, including those still waiting. This can’t be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
