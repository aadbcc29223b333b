import { useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { Dialog } from '../ui/Dialog'
import { RecordForm, type RecordFormProps } from './RecordForm'
import { useAutosave } from './useFormDraft'

type Props<In extends FieldValues, Out> = Omit<RecordFormProps<In, Out>, 'onSaved' | 'onDirty' | 'autosave'> & {
  title: string
  /** The list and the record's id, for the draft of the form; see `useAutosave`. */
  formId: string
  note?: string
  onClose: () => void
}

/** A record's form in a dialog. Closing it with unsaved changes asks for confirmation. */
export function RecordDialog<In extends FieldValues, Out>(props: Props<In, Out>) {
  const { title, formId, note, onClose, ...form } = props
  const autosave = useAutosave(formId, title)
  const content = useRef<HTMLDivElement>(null)
  const [isDirty, setIsDirty] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  return (
    <Dialog
      title={title}
      className={form.preview && 'dialog-with-preview'}
      onClose={() => (isDirty ? setIsLeaving(true) : onClose())}
      // The first control would be the button that discards the draft.
      findInitialFocus={autosave.restored ? () => findFirstField(content.current) : undefined}
    >
      <div ref={content} className="p-6 md:p-9">
        <h2 className="mr-10 mb-6 font-display text-xl wrap-anywhere">{title}</h2>
        {note && <p className="-mt-3 mb-6 max-w-prose text-sm text-muted">{note}</p>}
        <RecordForm<In, Out> {...form} autosave={autosave} onSaved={onClose} onDirty={setIsDirty} />
      </div>
      {isLeaving && (
        <ConfirmDialog
          title="Leave without saving?"
          confirmLabel="Leave"
          onConfirm={() => {
            autosave.clear()
            onClose()
          }}
          onClose={() => setIsLeaving(false)}
        >
          <p>Your changes to “{title}” are not saved. They will be lost.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

const findFirstField = (content: HTMLElement | null) =>
  content?.querySelector<HTMLElement>('form :is(input, select, textarea)') ?? null
