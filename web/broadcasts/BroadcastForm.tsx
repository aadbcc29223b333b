import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { type Audience, BROADCAST_LIMITS, type BroadcastDetail } from '../../worker/contract/broadcasts'
import { errorMessage } from '../api/call'
import { formatCount, formatCountOf } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { SelectField, TextAreaField, TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { toast } from '../ui/toast'
import {
  audienceName,
  audiences,
  toAudience,
  usePreviewBroadcast,
  useSaveDraft,
  useSendBroadcast,
  useTestBroadcast,
} from './broadcasts.queries'

type Props = {
  /** If it is missing, the first save creates a draft. */
  draft?: BroadcastDetail
  onCreated?: (id: string) => void
  /** Called when the broadcast was sent or scheduled. */
  onSent?: () => void
}

export function BroadcastForm({ draft, onCreated, onSent }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [id, setId] = useState(draft?.id ?? null)
  const [error, setError] = useState<string>()
  const [confirming, setConfirming] = useState<{ id: string; at?: string } | null>(null)
  const { data: audienceSizes } = useQuery(audiences)
  const save = useSaveDraft()
  const preview = usePreviewBroadcast()
  const test = useTestBroadcast()
  const send = useSendBroadcast()

  const readForm = () => {
    const data = new FormData(form.current ?? undefined)
    const text = (name: string) => String(data.get(name) ?? '')
    return {
      subject: text('subject'),
      markdown: text('markdown'),
      audience: JSON.parse(text('audience')) as Audience,
      to: text('to').trim(),
      at: text('at'),
    }
  }
  /** Saves the draft before `action`, because the server sends tests and broadcasts from the saved draft. */
  async function saveThen(action: (id: string, values: ReturnType<typeof readForm>) => Promise<void> | void) {
    if (save.isPending || test.isPending) return
    setError(undefined)
    const { subject, markdown, audience, ...rest } = readForm()
    try {
      const saved = await save.mutateAsync({ id, draft: { subject, markdown, audience } })
      setId(saved)
      if (id === null) onCreated?.(saved)
      await action(saved, { subject, markdown, audience, ...rest })
    } catch (saveError) {
      setError(errorMessage(saveError as Error))
    }
  }
  const showPreview = () => {
    setError(undefined)
    const { subject, markdown, audience } = readForm()
    preview.mutate({ subject, markdown, audience }, { onError: (previewError) => setError(errorMessage(previewError)) })
  }
  const sendTest = () =>
    saveThen(async (saved, { to }) => {
      await test.mutateAsync({ id: saved, to })
      toast({ title: 'Test sent', text: `A copy is on its way to ${to}.` })
    })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void saveThen((saved, { at }) => setConfirming({ id: saved, ...(at && { at: new Date(at).toISOString() }) }))
  }
  const confirmSend = () =>
    confirming &&
    send.mutate(confirming, {
      onSuccess: () => {
        toast({ title: confirming.at ? 'Scheduled' : 'On its way' })
        onSent?.()
      },
      onError: (sendError) => {
        setConfirming(null)
        setError(errorMessage(sendError))
      },
    })

  const options = (audienceSizes ?? [{ kind: 'all' as const, value: null, people: 0 }]).map(
    ({ kind, value, people }) => ({
      value: JSON.stringify(kind === 'all' ? { kind } : { kind, value }),
      label: `${audienceName({ kind, value })} (${formatCount(people)})`,
    }),
  )
  const selected = draft && JSON.stringify(toAudience(draft.audience))
  if (selected && !options.some(({ value }) => value === selected))
    options.push({ value: selected, label: audienceName(draft.audience) })

  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="grid max-w-3xl gap-6 border border-rule bg-sleeve p-5 md:p-8"
    >
      {/* Remounts when the audiences arrive, so that the draft's audience is selected. */}
      <SelectField key={options.length} label="To" name="audience" options={options} defaultValue={selected} />
      <TextField
        label="Subject"
        name="subject"
        maxLength={BROADCAST_LIMITS.subject}
        defaultValue={draft?.subject}
        required
      />
      <TextAreaField
        label="Text"
        name="markdown"
        rows={12}
        maxLength={BROADCAST_LIMITS.markdown}
        defaultValue={draft?.markdown}
        hint="Markdown: **bold**, [a link](https://…), # a heading."
        required
      />
      <div className="grid items-end gap-4 sm:grid-cols-[1fr_auto]">
        <TextField label="Test email address" name="to" type="email" autoComplete="email" />
        <Button onClick={() => void sendTest()} aria-disabled={test.isPending}>
          Send a test email
        </Button>
      </div>
      <TextField
        label="Send at"
        name="at"
        type="datetime-local"
        hint="In your time zone. Leave empty to send right away."
      />
      <FormError>{error}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-disabled={save.isPending}>
          Send
        </Button>
        <Button onClick={showPreview} aria-disabled={preview.isPending}>
          Preview
        </Button>
        <Button
          onClick={() => void saveThen(() => void toast({ title: 'Draft saved' }))}
          aria-disabled={save.isPending}
        >
          Save as draft
        </Button>
      </div>
      {preview.data && <BroadcastPreview {...preview.data} />}
      {confirming && (
        <ConfirmDialog
          title={confirming.at ? 'Schedule this broadcast?' : 'Send this broadcast?'}
          confirm={confirming.at ? 'Schedule it' : 'Send it'}
          pending={send.isPending}
          onConfirm={confirmSend}
          onClose={() => setConfirming(null)}
        >
          <p>
            {confirming.at
              ? `It starts on ${new Date(confirming.at).toLocaleString('en-US')}. You can cancel it until then.`
              : 'Sending starts right away. Sent emails can’t be recalled.'}
          </p>
        </ConfirmDialog>
      )}
    </form>
  )
}

/** The page's content security policy would block and report style elements. */
const STYLE_ELEMENT = /<style>[\s\S]*?<\/style>/

/** The email without style sheets, as many mail programs show it. The frame runs no scripts. */
function BroadcastPreview({ html, text, recipients }: { html: string; text: string; recipients: number }) {
  return (
    <section aria-label="Preview" className="border-t border-rule pt-6">
      <p className="text-sm text-muted">{formatCountOf(recipients, 'subscriber')} would get it now.</p>
      <iframe
        title="Email preview"
        sandbox=""
        srcDoc={html.replace(STYLE_ELEMENT, '')}
        className="mt-4 h-160 w-full border border-rule bg-ivory"
      />
      <details className="mt-4">
        <summary className="min-h-12 py-3 font-label text-muted">Plain text</summary>
        <pre className="text-sm whitespace-pre-wrap">{text}</pre>
      </details>
    </section>
  )
}
