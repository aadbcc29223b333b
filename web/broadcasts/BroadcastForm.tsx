import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import {
  type Audience,
  BROADCAST_LIMITS,
  type BroadcastDetail,
  BroadcastDraft,
  broadcastsApi,
} from '../../worker/contract/broadcasts'
import { AutosaveHint, RestoredDraftNotice } from '../admin/FormDraftNotices'
import { type ComparedField, isSame } from '../admin/save-conflict'
import { useAutosave, useFormDraft } from '../admin/useFormDraft'
import { useSaveConflict } from '../admin/useSaveConflict'
import { call, errorMessage, hasCode } from '../api/call'
import { formatCount, formatCountOf, formatLongDateTime } from '../lib/format'
import { useSchemaForm } from '../lib/useSchemaForm'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { SelectField, TextAreaField, TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { toast } from '../ui/toast'
import {
  audienceName,
  broadcastAudiences,
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

/**
 * The draft with its audience as JSON, the value of the select. The address of the test email (`to`) and the time to
 * send at (`at`) are not saved.
 */
const BroadcastValues = z.extend(BroadcastDraft, { audience: z.string(), to: z.string(), at: z.string() })
type BroadcastValues = z.infer<typeof BroadcastValues>

type SavedDraft = { id: string; version: number }
/** A send that waits for the user's confirmation; `at` is undefined to send now. */
type Confirmation = SavedDraft & { subject: string; at?: string }

const EVERYONE: Audience = { kind: 'all' }
const toValues = (draft?: BroadcastDetail): BroadcastValues => ({
  subject: draft?.subject ?? '',
  markdown: draft?.markdown ?? '',
  audience: JSON.stringify(draft ? toAudience(draft.audience) : EVERYONE),
  version: draft?.version,
  to: '',
  at: '',
})
const autosaveId = (id: string) => `broadcasts.${id}`
const parseAudience = (audience: string) => JSON.parse(audience) as Audience
const nameOf = (audience: Audience) => audienceName({ value: null, ...audience })
const toDraft = ({ subject, markdown, audience, version }: BroadcastValues): BroadcastDraft => ({
  subject,
  markdown,
  audience: parseAudience(audience),
  version,
})

const CONFLICT_FIELDS: readonly ComparedField[] = [
  { name: 'audience', label: 'To', describe: (audience) => nameOf(parseAudience(String(audience))) },
  { name: 'subject', label: 'Subject' },
  { name: 'markdown', label: 'Text' },
]

/** Writes, previews, tests, sends and schedules a broadcast. */
export function BroadcastForm({ draft, onCreated, onSent }: Props) {
  const [id, setId] = useState(draft?.id ?? null)
  const autosave = useAutosave<BroadcastValues>(autosaveId(id ?? 'new'), draft?.subject ?? 'A new broadcast')
  const form = useSchemaForm(BroadcastValues, autosave.restored?.base ?? toValues(draft))
  useFormDraft(form, autosave)
  const [error, setError] = useState<string>()
  const [confirming, setConfirming] = useState<Confirmation | null>(null)
  const { data: audienceSizes } = useQuery(broadcastAudiences)
  const save = useSaveDraft()
  const preview = usePreviewBroadcast()
  const test = useTestBroadcast()
  const send = useSendBroadcast()
  const isBusy = save.isPending || test.isPending
  const conflict = useSaveConflict<BroadcastValues>({
    fields: CONFLICT_FIELDS,
    getBase: () => form.formState.defaultValues ?? {},
    getMine: form.getValues,
    apply: (merged) => form.reset(merged, { keepDefaultValues: true }),
    readLatest: async () => {
      if (id === null) return undefined
      const { to, at } = form.getValues()
      return { ...toValues(await call(broadcastsApi.broadcast, { id })), to, at }
    },
  })
  const { errors } = form.formState

  /** Saves the draft before `action`, because the server sends tests and broadcasts from the saved draft. */
  function saveThen(action: (saved: SavedDraft, values: BroadcastValues) => Promise<void> | void): void {
    if (isBusy) return
    setError(undefined)
    conflict.resolve()
    void form.handleSubmit(async (values) => {
      const submittedValues = form.getValues()
      try {
        const saved = await save.mutateAsync({ id, draft: toDraft(values) })
        autosave.clear()
        const typedValues = form.getValues()
        form.reset({ ...values, version: saved.version }, { keepValues: true })
        form.setValue('version', saved.version)
        // Text typed during the save is stored as a new local draft.
        if (!isSame(typedValues, submittedValues))
          autosave.save(
            () => ({
              base: { ...submittedValues, version: saved.version },
              values: { ...typedValues, version: saved.version },
            }),
            autosaveId(saved.id),
          )
        setId(saved.id)
        if (id === null) onCreated?.(saved.id)
        await action(saved, values)
      } catch (saveError) {
        if (hasCode(saveError, 'conflict') && (await conflict.showConflicts())) return
        setError(errorMessage(saveError as Error))
      }
    })()
  }
  const showPreview = form.handleSubmit((values) => {
    setError(undefined)
    preview.mutate(toDraft(values), { onError: (previewError) => setError(errorMessage(previewError)) })
  })
  const sendTest = () =>
    saveThen(async ({ id }, values) => {
      const to = values.to.trim()
      await test.mutateAsync({ id, to })
      toast({ title: 'Test sent', text: `A copy is on its way to ${to}.` })
    })
  const confirmSend = () => {
    if (!confirming) return
    const { id, version, at } = confirming
    // `mutateAsync`, because the callbacks of `mutate` do not run after the refetch has unmounted the form.
    send.mutateAsync({ id, version, at }).then(
      () => {
        autosave.clear()
        toast({ title: at ? 'Scheduled' : 'On its way' })
        onSent?.()
      },
      async (sendError) => {
        setConfirming(null)
        if (hasCode(sendError, 'conflict') && (await conflict.showConflicts())) return
        setError(errorMessage(sendError))
      },
    )
  }
  const discardDraft = () => {
    autosave.clear()
    form.reset(toValues(draft))
  }

  const selectedAudience = form.watch('audience')
  const options = (audienceSizes ?? [{ kind: 'all' as const, value: null, people: 0 }]).map(
    ({ kind, value, people }) => ({
      value: JSON.stringify(toAudience({ kind, value })),
      label: audienceSizes
        ? `${audienceName({ kind, value })} (${formatCount(people)})`
        : audienceName({ kind, value }),
    }),
  )
  if (!options.some(({ value }) => value === selectedAudience))
    options.push({ value: selectedAudience, label: nameOf(parseAudience(selectedAudience)) })
  const audienceLabel = options.find(({ value }) => value === selectedAudience)?.label

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        saveThen((saved, { subject, at }) =>
          setConfirming({ ...saved, subject, ...(at && { at: new Date(at).toISOString() }) }),
        )
      }}
      className="grid max-w-3xl gap-6 border border-rule bg-sleeve p-5 md:p-8"
    >
      <RestoredDraftNotice autosave={autosave} onDiscard={discardDraft} />
      <SelectField label="To" options={options} {...form.register('audience')} value={selectedAudience} />
      <TextField
        label="Subject"
        maxLength={BROADCAST_LIMITS.subject}
        error={errors.subject?.message}
        required
        {...form.register('subject')}
      />
      <TextAreaField
        label="Text"
        rows={12}
        maxLength={BROADCAST_LIMITS.markdown}
        error={errors.markdown?.message}
        hint="Markdown works: **bold**, [a link](https://…), # a heading."
        required
        {...form.register('markdown')}
      />
      <div className="grid items-end gap-4 sm:grid-cols-[1fr_auto]">
        <TextField label="Test email address" type="email" autoComplete="email" {...form.register('to')} />
        <Button onClick={sendTest} aria-disabled={isBusy}>
          Send a test email
        </Button>
      </div>
      <TextField
        label="Send at"
        type="datetime-local"
        hint="In your time zone. Leave it empty to send right away."
        {...form.register('at')}
      />
      {conflict.panel}
      <FormError>{error}</FormError>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" aria-disabled={isBusy}>
          Send
        </Button>
        <Button onClick={() => void showPreview()} aria-disabled={preview.isPending}>
          Preview
        </Button>
        <Button
          onClick={() => saveThen(() => void toast({ title: 'Draft saved', text: 'The team can continue it.' }))}
          aria-disabled={isBusy}
        >
          Save as draft
        </Button>
        <AutosaveHint autosave={autosave} />
      </div>
      {preview.data && <BroadcastPreview {...preview.data} />}
      {confirming && (
        <ConfirmDialog
          title={confirming.at ? `Schedule “${confirming.subject}”?` : `Send “${confirming.subject}”?`}
          confirmLabel={confirming.at ? 'Schedule it' : 'Send it'}
          pending={send.isPending}
          onConfirm={confirmSend}
          onClose={() => setConfirming(null)}
        >
          <p>To: {audienceLabel}.</p>
          <p>
            {confirming.at
              ? `It starts on ${formatLongDateTime(confirming.at)}. You can unschedule it until then.`
              : 'Sending starts right away. Sent emails can’t be recalled.'}
          </p>
        </ConfirmDialog>
      )}
    </form>
  )
}

/** Removed from the preview, because the page's content security policy would block and report it. */
const STYLE_ELEMENT = /<style>[\s\S]*?<\/style>/

/** The email without style sheets, as many email clients show it. The sandboxed frame runs no scripts. */
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
