import { type FormEvent, useState } from 'react'
import {
  developersApi,
  WEBHOOK_EVENT_LABELS,
  WEBHOOK_EVENT_TYPES,
  type Webhook,
  type WebhookEventType,
} from '../../worker/contract/developers'
import { useAdminMutation } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import type { AdminListDefinition } from '../admin/list/list-definition'
import { call, errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { CheckField, TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { DeliveriesPanel } from './DeliveriesPanel'
import { NewSecret } from './NewSecret'

const KEYS = ['webhooks', 'audit']

const STATES: Record<Webhook['state'], { label: string; color: string }> = {
  active: { label: 'On', color: 'text-bay' },
  off: { label: 'Off', color: 'text-muted' },
  failing: { label: 'Off: nothing could be delivered for days', color: 'text-sunset' },
  gone: { label: 'Off: the receiver is gone', color: 'text-sunset' },
}

const webhooks: AdminListDefinition<'/api/admin/webhooks', Webhook> = {
  name: 'webhooks',
  title: 'Webhooks',
  endpoint: developersApi.webhooks,
  addressPrefix: 'webhooks.',
  nameOf: (row) => row.url,
  empty: 'No webhooks yet. Add the address of a server to notify.',
  columns: [
    { id: 'url', header: 'Address', cell: (row) => <span className="wrap-anywhere">{row.url}</span> },
    {
      id: 'events',
      header: 'When',
      cell: (row) => (
        <span className="text-sm">{row.events.map((event) => WEBHOOK_EVENT_LABELS[event]).join('; ')}</span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      cell: (row) => <span className={STATES[row.state].color}>{STATES[row.state].label}</span>,
    },
  ],
}

/** Webhooks and, of the chosen one, the deliveries. */
export function WebhooksPanel() {
  const [editing, setEditing] = useState<Webhook | 'new' | null>(null)
  const [opened, setOpened] = useState<Webhook | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [removing, setRemoving] = useState<Webhook | null>(null)
  const remove = useAdminMutation((id: string) => call(developersApi.removeWebhook, { id }), KEYS)
  return (
    <>
      <AdminList
        list={webhooks}
        note="When something happens, the site sends a signed request to your server. Failed deliveries are tried again for three days."
        tools={editing === null && <Button onClick={() => setEditing('new')}>Add a webhook</Button>}
        actions={(row) => (
          <>
            <Button
              variant="text"
              aria-expanded={opened?.id === row.id}
              aria-label={`Deliveries to ${row.url}`}
              onClick={() => setOpened(opened?.id === row.id ? null : row)}
            >
              Deliveries
            </Button>
            <Button variant="text" aria-label={`Edit ${row.url}`} onClick={() => setEditing(row)}>
              Edit
            </Button>
            <Button variant="text" aria-label={`Delete ${row.url}`} onClick={() => setRemoving(row)}>
              Delete
            </Button>
          </>
        )}
      >
        {secret && <NewSecret label="The signing secret" secret={secret} onClose={() => setSecret(null)} />}
        {editing && (
          <WebhookForm
            key={editing === 'new' ? 'new' : editing.id}
            webhook={editing === 'new' ? null : editing}
            onClose={() => setEditing(null)}
            onSaved={(newSecret) => {
              if (newSecret) setSecret(newSecret)
              setEditing(null)
            }}
          />
        )}
      </AdminList>
      {opened && <DeliveriesPanel key={opened.id} webhook={opened} onSecret={setSecret} />}
      {removing && (
        <ConfirmDialog
          title="Delete this webhook?"
          confirm="Delete"
          pending={remove.isPending}
          onClose={() => setRemoving(null)}
          onConfirm={() =>
            remove.mutate(removing.id, {
              onSuccess: () => {
                if (opened?.id === removing.id) setOpened(null)
                toast({ title: 'Deleted', text: 'Nothing is sent there anymore.' })
              },
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

type FormProps = { webhook: Webhook | null; onClose: () => void; onSaved: (secret: string | null) => void }

function WebhookForm({ webhook, onClose, onSaved }: FormProps) {
  const [error, setError] = useState<{ url?: string; form?: string }>({})
  const save = useAdminMutation(
    async (draft: { url: string; events: WebhookEventType[]; enabled: boolean }): Promise<string | null> => {
      const { enabled: _, ...added } = draft
      if (webhook === null) return (await call(developersApi.addWebhook, { body: added })).secret
      await call(developersApi.changeWebhook, { id: webhook.id, body: draft })
      return null
    },
    KEYS,
  )
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (save.isPending) return
    const data = new FormData(event.currentTarget)
    const draft = {
      url: String(data.get('url')).trim(),
      events: data.getAll('event') as WebhookEventType[],
      enabled: webhook === null || data.has('enabled'),
    }
    const problems = {
      ...(draft.url === '' && { url: 'Please enter the address of your server.' }),
      ...(draft.events.length === 0 && { form: 'Please choose at least one event.' }),
    }
    setError(problems)
    if (Object.keys(problems).length > 0) return
    save.mutate(draft, { onSuccess: onSaved, onError: (saveError) => setError({ form: errorMessage(saveError) }) })
  }
  return (
    <form noValidate onSubmit={submit} className="mb-10 grid max-w-3xl gap-6 border border-rule p-5 md:p-8">
      <TextField
        label="Address"
        name="url"
        type="url"
        required
        maxLength={500}
        defaultValue={webhook?.url}
        placeholder="https://"
        error={error.url}
        hint="A public address that begins with https://."
      />
      <fieldset>
        <legend className="font-label text-muted">Send when</legend>
        {WEBHOOK_EVENT_TYPES.map((type) => (
          <CheckField
            key={type}
            name="event"
            value={type}
            label={WEBHOOK_EVENT_LABELS[type]}
            defaultChecked={webhook?.events.includes(type)}
          />
        ))}
      </fieldset>
      {webhook && (
        <CheckField
          name="enabled"
          label="On"
          hint="While it is off, new events are not sent. Deliveries that are already waiting go out when you turn it back on."
          defaultChecked={webhook.state === 'active'}
        />
      )}
      {error.form && (
        <p role="alert" className="text-sunset">
          {error.form}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-disabled={save.isPending}>
          {webhook ? 'Save' : 'Add the webhook'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
