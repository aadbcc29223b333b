import { Plus, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { POINTS } from '../../worker/contract/points'
import { normalizeOption, POLL_LIMITS } from '../../worker/contract/polls'
import { hasStatus } from '../api/call'
import { requestSignUp } from '../auth/pending-choice'
import { awardText } from '../points/award-text'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useCreatePoll } from './polls.queries'

const { min: MIN_OPTIONS, max: MAX_OPTIONS } = POLL_LIMITS.options

/** The form for a new poll. A draft that the server rejects stays in the form. */
function CreatePollForm({ onCreated }: { onCreated: () => void }) {
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const [error, setError] = useState<DraftError | null>(null)
  const create = useCreatePoll()
  const form = useRef<HTMLFormElement>(null)
  const nextKey = useRef(emptyDraft.options.length)
  const focusOn = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus()

  useEffect(() => {
    form.current?.querySelector<HTMLInputElement>('[name="title"]')?.focus()
  }, [])
  const updateDraft = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change })
    setError(null)
  }
  const addOption = () => {
    const key = nextKey.current++
    updateDraft({ options: [...draft.options, { key, title: '' }] })
    requestAnimationFrame(() => focusOn(`option-${key}`))
  }
  const removeOption = (key: number) => {
    const removedIndex = draft.options.findIndex((option) => option.key === key)
    updateDraft({ options: draft.options.filter((option) => option.key !== key) })
    const neighbor = draft.options[removedIndex - 1] ?? draft.options[removedIndex + 1]
    if (neighbor) focusOn(`option-${neighbor.key}`)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (create.isPending) return
    const draftError = validateDraft(draft)
    setError(draftError)
    if (draftError) {
      toast({ title: draftError.title, text: draftError.text, tone: 'destructive' })
      focusOn(draftError.field === 'title' ? 'title' : `option-${draftError.field}`)
      return
    }
    create.mutate(
      {
        title: draft.title,
        description: draft.description,
        options: draft.options.map(({ title }) => ({ title, description: '' })),
      },
      {
        onSuccess: (award) => {
          toast({
            title: 'Poll created!',
            text: awardText(award) || 'It is open for a week.',
          })
          onCreated()
        },
        onError: (apiError) =>
          hasStatus(apiError, 401)
            ? requestSignUp({ kind: 'other', toast: 'Please sign up or login to create a poll' })
            : toast({
                title: 'Failed to create poll',
                text: apiError.message || 'Please try again.',
                tone: 'destructive',
              }),
      },
    )
  }

  return (
    <form ref={form} noValidate method="post" aria-label="Create Poll" onSubmit={submit} className="poll-form">
      <TextField
        label="Poll title"
        name="title"
        required
        maxLength={POLL_LIMITS.title}
        value={draft.title}
        onChange={(event) => updateDraft({ title: event.target.value })}
        error={error?.field === 'title' ? error.text : undefined}
      />
      <TextField
        label="Description"
        name="description"
        maxLength={POLL_LIMITS.description}
        value={draft.description}
        onChange={(event) => updateDraft({ description: event.target.value })}
      />
      <fieldset className="grid gap-4">
        <legend className="sr-only">Options</legend>
        {draft.options.map(({ key, title }, index) => (
          <TextField
            key={key}
            label={`Option ${index + 1}`}
            name={`option-${key}`}
            required={index < MIN_OPTIONS}
            maxLength={POLL_LIMITS.option}
            value={title}
            onChange={(event) =>
              updateDraft({
                options: draft.options.map((option) =>
                  option.key === key ? { key, title: event.target.value } : option,
                ),
              })
            }
            error={error?.field === key ? error.text : undefined}
            after={
              draft.options.length > MIN_OPTIONS && (
                <button
                  type="button"
                  aria-label={`Remove option ${index + 1}`}
                  onClick={() => removeOption(key)}
                  className="grid size-12 shrink-0 place-items-center text-muted hover:text-ivory"
                >
                  <X size={18} aria-hidden />
                </button>
              )
            }
          />
        ))}
      </fieldset>
      {draft.options.length < MAX_OPTIONS ? (
        <Button variant="text" className="justify-self-start" onClick={addOption}>
          <Plus size={18} aria-hidden />
          Add option
        </Button>
      ) : (
        <p className="text-sm text-muted">A poll has at most {MAX_OPTIONS} options.</p>
      )}
      <Button type="submit" variant="primary" aria-disabled={create.isPending}>
        {create.isPending ? 'Publishing' : 'Publish the poll'}
      </Button>
      <p className="text-sm text-muted">
        Open for a week. Your first poll of the day earns {POINTS.poll_created} points. You can create three a day.
      </p>
    </form>
  )
}

export function CreatePoll() {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div>
      <Button ref={button} aria-expanded={isOpen} aria-controls="create-poll" onClick={() => setIsOpen(!isOpen)}>
        Create Poll
      </Button>
      <div id="create-poll" className="min-w-0">
        {isOpen && (
          <CreatePollForm
            onCreated={() => {
              setIsOpen(false)
              button.current?.focus()
            }}
          />
        )}
      </div>
    </div>
  )
}

type Draft = { title: string; description: string; options: readonly { key: number; title: string }[] }

const emptyDraft: Draft = {
  title: '',
  description: '',
  options: Array.from({ length: MIN_OPTIONS }, (_, key) => ({ key, title: '' })),
}

type DraftError = {
  /** The title, or the key of an option. */
  field: 'title' | number
  /** Title of the toast. */
  title: string
  /** Text of the toast, and the error below the field. */
  text: string
}

/** The first error of a draft, or null. */
function validateDraft({ title, options }: Draft): DraftError | null {
  if (title.trim() === '')
    return { field: 'title', title: 'Poll title required', text: 'Please enter a title for your poll.' }
  const filledOptions = options.filter((option) => option.title.trim() !== '')
  if (filledOptions.length < MIN_OPTIONS)
    return {
      field: options.find((option) => option.title.trim() === '')?.key ?? 0,
      title: 'Need more options',
      text: 'Please provide at least 2 poll options.',
    }
  const duplicate = filledOptions.find((option, index) =>
    filledOptions
      .slice(0, index)
      .some((earlier) => normalizeOption(earlier.title.trim()) === normalizeOption(option.title.trim())),
  )
  if (!duplicate) return null
  return {
    field: duplicate.key,
    title: 'Two options are the same',
    text: 'Please make each one different.',
  }
}
