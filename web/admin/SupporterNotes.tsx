import { Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { type SupporterNote, supporterPageApi } from '../../worker/contract/supporter-page'
import { call, errorMessage } from '../api/call'
import { formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { TextAreaField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { SUPPORTER_QUERY_KEYS, useAdminMutation } from './admin.queries'
import { AutosaveHint, RestoredDraftNotice } from './FormDraftNotices'
import { Panel } from './Panel'
import { type Autosave, useAutosave } from './useFormDraft'

type NoteDraft = { text: string }
type Props = { supporterId: string; notes: readonly SupporterNote[]; autosave: Autosave<NoteDraft> }

/** The draft of a new note. SupporterPage deletes the draft when the account is erased. */
export const useNoteDraft = (supporterId: string) => useAutosave<NoteDraft>(`supporter-notes.${supporterId}`, 'A note')

/** Notes of the team about a supporter; deleting one can be undone. */
export function SupporterNotes({ supporterId, notes, autosave }: Props) {
  const [text, setText] = useState(autosave.restored?.values.text ?? '')
  const latestText = useRef(text)
  latestText.current = text
  const [error, setError] = useState<string>()
  const add = useAdminMutation(
    (body: { text: string }) => call(supporterPageApi.addNote, { id: supporterId, body }),
    SUPPORTER_QUERY_KEYS,
  )
  const remove = useAdminMutation(
    ({ id }: SupporterNote) => call(supporterPageApi.removeNote, { id }),
    SUPPORTER_QUERY_KEYS,
  )
  const clear = () => {
    autosave.clear()
    setText('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (add.isPending) return
    if (text.trim() === '') return setError('Write the note first.')
    setError(undefined)
    add.mutateAsync({ text }).then(
      // Text typed since the submission belongs to the next note.
      () => latestText.current === text && clear(),
      (failure) => setError(errorMessage(failure)),
    )
  }
  const removeNote = (note: SupporterNote) =>
    remove.mutate(note, {
      onSuccess: () =>
        toast({
          title: 'Note deleted',
          action: {
            label: 'Undo',
            onPress: () => add.mutate({ text: note.text }, { onError: toastError('Note not restored') }),
          },
        }),
      onError: toastError('Note not deleted'),
    })
  return (
    <Panel title="Notes" note="For the team. A supporter’s data export includes these notes.">
      <form noValidate onSubmit={submit} className="grid gap-3">
        <RestoredDraftNotice autosave={autosave} onDiscard={clear} />
        <TextAreaField
          label="New note"
          required
          maxLength={2_000}
          rows={3}
          value={text}
          error={error}
          onChange={(event) => {
            const typed = event.currentTarget.value
            setText(typed)
            autosave.save(() => (typed === '' ? null : { base: { text: '' }, values: { text: typed } }))
          }}
        />
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Button type="submit" aria-disabled={add.isPending}>
            Add note
          </Button>
          <AutosaveHint autosave={autosave} />
        </div>
      </form>
      <ul className="mt-6 grid gap-4">
        {notes.map((note) => (
          <li key={note.id} className="border-t border-rule pt-3">
            <p className="text-sm whitespace-pre-wrap wrap-anywhere">{note.text}</p>
            <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
              <span>
                {note.author || 'Deleted account'},{' '}
                <time dateTime={note.createdAt}>{formatDateTime(note.createdAt)}</time>
              </span>
              <Button
                variant="text"
                aria-label={`Delete the note “${note.text.slice(0, 40)}”`}
                onClick={() => removeNote(note)}
              >
                <Trash2 size={16} aria-hidden />
                Delete
              </Button>
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
