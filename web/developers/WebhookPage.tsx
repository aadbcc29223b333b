import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  developersApi,
  WEBHOOK_EVENT_LABELS,
  WEBHOOK_EVENT_TYPES,
  type Webhook,
  WebhookDraft,
} from '../../worker/contract/developers'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { RecordHeader } from '../admin/RecordHeader'
import { toScreen, useScreenParam } from '../admin/screen-location'
import { call, errorMessage } from '../api/call'
import { useSchemaForm } from '../lib/useSchemaForm'
import { Button } from '../ui/Button'
import { EmptyNotice } from '../ui/EmptyNotice'
import { CheckField, TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast } from '../ui/toast'
import { DeliveriesPanel } from './DeliveriesPanel'
import { NewSecret } from './NewSecret'

const allWebhooks = adminQuery('webhooks', developersApi.webhooks)

/** /admin/webhooks/$id: the form and the deliveries of a webhook; `new` adds one. */
export function WebhookPage() {
  const id = useScreenParam('id')
  const navigate = useNavigate()
  const query = useQuery(allWebhooks)
  const [secret, setSecret] = useState<string | null>(null)
  const webhook = query.data?.find((row) => row.id === id)
  const onAdded = (added: { id: string; secret: string }) => {
    setSecret(added.secret)
    void navigate({ ...toScreen('webhook', { params: { id: added.id } }), replace: true })
  }
  const title = webhook ? new URL(webhook.url).host : 'Webhook'
  return (
    <>
      <RecordHeader back="developers" title={id === 'new' ? 'A new webhook' : title} />
      {secret && <NewSecret label="The signing secret" secret={secret} onClose={() => setSecret(null)} />}
      {id === 'new' ? (
        <WebhookForm webhook={null} onAdded={onAdded} />
      ) : (
        <QueryBoundary
          query={query}
          loading={{ label: 'Loading the webhook', className: 'h-96' }}
          error="The webhook could not be loaded."
        >
          {() =>
            webhook ? (
              <div className="grid grid-cols-1 gap-14">
                <WebhookForm key={id} webhook={webhook} onAdded={onAdded} />
                <DeliveriesPanel key={`${id} deliveries`} webhook={webhook} onNewSecret={setSecret} />
              </div>
            ) : (
              <EmptyNotice>This webhook was deleted. Go back to the list to open another one.</EmptyNotice>
            )
          }
        </QueryBoundary>
      )}
    </>
  )
}

type FormProps = {
  /** Null for a new webhook. */
  webhook: Webhook | null
  onAdded: (added: { id: string; secret: string }) => void
}

function WebhookForm({ webhook, onAdded }: FormProps) {
  const { url = '', events = [], state = 'active' } = webhook ?? {}
  const form = useSchemaForm(WebhookDraft, { url, events, enabled: state === 'active' })
  const { errors, isSubmitting } = form.formState
  const save = useAdminMutation(
    async ({ enabled, ...draft }: WebhookDraft) => {
      if (webhook === null) return call(developersApi.addWebhook, { body: draft })
      await call(developersApi.changeWebhook, { id: webhook.id, body: { ...draft, enabled } })
      return null
    },
    ['webhooks', 'audit'],
  )
  const submit = form.handleSubmit(async (draft) => {
    try {
      const addedWebhook = await save.mutateAsync(draft)
      if (addedWebhook) onAdded(addedWebhook)
      else toast({ title: 'Saved', text: 'It applies to events from now on.' })
    } catch (error) {
      form.setError('root', { message: errorMessage(error as Error) })
    }
  })
  const formError = errors.events?.message ?? errors.root?.message
  return (
    <form
      noValidate
      onSubmit={(event) => (isSubmitting ? event.preventDefault() : void submit(event))}
      className="grid max-w-3xl gap-6"
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
      <Button type="submit" variant="primary" aria-disabled={isSubmitting} className="justify-self-start">
        {webhook ? 'Save' : 'Add the webhook'}
      </Button>
    </form>
  )
}
