import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { type Audience, BROADCAST_LIMITS, type BroadcastDetail } from '../../worker/contract/broadcasts'
import { sentence } from '../auth/sentence'
import { AreaField } from '../ui/AreaField'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { SelectField } from '../ui/SelectField'
import { TextField } from '../ui/TextField'
import { toast } from '../ui/toast'
import { audienceName } from './audience-name'
import { audiences, usePreview, useSaveDraft, useSendBroadcast, useTestBroadcast } from './broadcasts.queries'
import { Preview } from './Preview'

const count = new Intl.NumberFormat('en-US')

/** A sheet to write on: saved as a draft, looked at, tried on oneself, and then sent or scheduled. */
export function BroadcastForm({ draft, onDone }: { draft?: BroadcastDetail; onDone: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const [id, setId] = useState(draft?.id ?? null)
  const [problem, setProblem] = useState<string>()
  const [asking, setAsking] = useState<{ id: string; at?: string } | null>(null)
  const { data: choices } = useQuery(audiences)
  const save = useSaveDraft()
  const preview = usePreview()
  const test = useTestBroadcast()
  const send = useSendBroadcast()

  const written = () => {
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
  /** Saves what is written first: what is tried and sent is what stands here. */
  async function saving(act: (id: string, is: ReturnType<typeof written>) => Promise<void> | void) {
    setProblem(undefined)
    const { subject, markdown, audience, ...more } = written()
    try {
      const saved = await save.mutateAsync({ id, draft: { subject, markdown, audience } })
      setId(saved)
      await act(saved, { subject, markdown, audience, ...more })
    } catch (error) {
      setProblem(sentence(error as Error))
    }
  }
  const look = () => {
    setProblem(undefined)
    const { subject, markdown, audience } = written()
    preview.mutate({ subject, markdown, audience }, { onError: (error) => setProblem(sentence(error)) })
  }
  const tryIt = () =>
    saving(async (saved, { to }) => {
      await test.mutateAsync({ id: saved, to })
      toast({ title: 'Test sent', text: `A copy is on its way to ${to}.` })
    })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void saving((saved, { at }) => setAsking({ id: saved, ...(at && { at: new Date(at).toISOString() }) }))
  }
  const really = () =>
    asking &&
    send.mutate(asking, {
      onSuccess: () => {
        toast({ title: asking.at ? 'Scheduled' : 'On its way' })
        onDone()
      },
      onError: (error) => {
        setAsking(null)
        setProblem(sentence(error))
      },
    })

  const options = (choices ?? [{ kind: 'all' as const, value: null, people: 0 }]).map(({ kind, value, people }) => ({
    value: JSON.stringify(kind === 'all' ? { kind } : { kind, value }),
    label: `${audienceName({ kind, value })} (${count.format(people)})`,
  }))
  const chosen = draft && JSON.stringify(draft.audience.kind === 'all' ? { kind: 'all' } : draft.audience)
  if (chosen && !options.some(({ value }) => value === chosen))
    options.push({ value: chosen, label: audienceName(draft.audience) })

  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className="grid max-w-3xl gap-6 border border-rule bg-sleeve p-5 md:p-8"
    >
      {/* Drawn anew when the choices are there, so that a draft's own is chosen. */}
      <SelectField key={options.length} label="To" name="audience" options={options} defaultValue={chosen} />
      <TextField
        label="Subject"
        name="subject"
        maxLength={BROADCAST_LIMITS.subject}
        defaultValue={draft?.subject}
        required
      />
      <AreaField
        label="Text"
        name="markdown"
        rows={12}
        maxLength={BROADCAST_LIMITS.markdown}
        defaultValue={draft?.markdown}
        hint="Markdown: **bold**, [a link](https://…), # a heading."
        required
      />
      <div className="grid items-end gap-4 sm:grid-cols-[1fr_auto]">
        <TextField label="Send a test to" name="to" type="email" autoComplete="email" />
        <Button onClick={() => void tryIt()} aria-disabled={test.isPending}>
          Send the test
        </Button>
      </div>
      <TextField label="Not before" name="at" type="datetime-local" hint="On your own clock. Empty: at once." />
      {problem && (
        <p role="alert" className="text-sunset">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="foil" aria-disabled={save.isPending}>
          Send
        </Button>
        <Button onClick={look} aria-disabled={preview.isPending}>
          Preview
        </Button>
        <Button onClick={() => void saving(() => void toast({ title: 'Draft kept' }))} aria-disabled={save.isPending}>
          Keep as draft
        </Button>
        <Button look="quiet" onClick={onDone}>
          Close
        </Button>
      </div>
      {preview.data && <Preview {...preview.data} />}
      {asking && (
        <ConfirmDialog
          title={asking.at ? 'Schedule this broadcast?' : 'Send this broadcast?'}
          confirm={asking.at ? 'Schedule it' : 'Send it'}
          pending={send.isPending}
          onConfirm={really}
          onClose={() => setAsking(null)}
        >
          <p>
            {asking.at
              ? `It begins at ${new Date(asking.at).toLocaleString('en-US')}, and can be taken back until then.`
              : 'It begins at once. What is sent cannot be taken back.'}
          </p>
        </ConfirmDialog>
      )}
    </form>
  )
}
