import { useState } from 'react'
import {
  developersApi,
  WEBHOOK_EVENT_LABELS,
  WEBHOOK_EVENT_TYPES,
  type Webhook,
  WebhookDraft,
} from '../../worker/contract/developers'
import { useAdminMutation } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import type { AdminListDefinition } from '../admin/list/list-definition'
import { call, errorMessage } from '../api/call'
import { useSchemaForm } from '../lib/useSchemaForm'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { CheckField, TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
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
  urlPrefix: 'webhooks.',
  nameOf: (row) => row.url,
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
      cell: (row) => <span className={STATES[row.state].color}>{STATES[row.state].label}</span>,
    },
  ],
}

/** The webhooks, and the deliveries of the one that is opened. */
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
          title={`Delete the webhook to ${new URL(removing.url).host}?`}
          confirm="Delete the webhook"
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
  const { url = '', events = [], state = 'active' } = webhook ?? {}
  const form = useSchemaForm(WebhookDraft, { url, events, enabled: state === 'active' })
  const { errors, isSubmitting } = form.formState
  const save = useAdminMutation(async ({ enabled, ...draft }: WebhookDraft): Promise<string | null> => {
    if (webhook === null) return (await call(developersApi.addWebhook, { body: draft })).secret
    await call(developersApi.changeWebhook, { id: webhook.id, body: { ...draft, enabled } })
    return null
  }, KEYS)
  const submit = form.handleSubmit(async (draft) => {
    try {
      onSaved(await save.mutateAsync(draft))
    } catch (error) {
      form.setError('root', { message: errorMessage(error as Error) })
    }
  })
  const formError = errors.events?.message ?? errors.root?.message
  return (
    <form
      noValidate
      onSubmit={(event) => (isSubmitting ? event.preventDefault() : void submit(event))}
      className="mb-10 grid max-w-3xl gap-6 border border-rule p-5 md:p-8"
    >
      <TextField
        label="Address"
        type="url"
        required
        placeholder="https://"
        error={errors.url?.message}
        hint="A public address that begins with https://."
        {...form.register('url')}
      />
      <fieldset>
        <legend className="font-label text-muted">Send when</legend>
        {WEBHOOK_EVENT_TYPES.map((type) => (
          <CheckField key={type} value={type} label={WEBHOOK_EVENT_LABELS[type]} {...form.register('events')} />
        ))}
      </fieldset>
      {webhook && (
        <CheckField
          label="On"
          hint="While it is off, new events are not sent. Deliveries that are already waiting go out when you turn it back on."
          {...form.register('enabled')}
        />
      )}
      <FormError>{formError}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-disabled={isSubmitting}>
          {webhook ? 'Save' : 'Add the webhook'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
