import { type ComponentProps, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { Dialog } from '../ui/Dialog'
import { RecordForm } from './RecordForm'

type Props<In extends FieldValues, Out> = Omit<ComponentProps<typeof RecordForm<In, Out>>, 'onSaved' | 'onDirty'> & {
  title: string
  /** What should be known before anything is changed. */
  note?: string
  onClose: () => void
}

/** A record's form on a sheet over its list. Closed with something unsaved in it, by Escape too, it asks first. */
export function RecordDialog<In extends FieldValues, Out>({ title, note, onClose, ...form }: Props<In, Out>) {
  const [isDirty, setDirty] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  return (
    <Dialog title={title} onClose={() => (isDirty ? setLeaving(true) : onClose())}>
      <div className="p-6 md:p-9">
        <h2 className="mr-10 mb-6 font-display text-xl wrap-anywhere">{title}</h2>
        {note && <p className="-mt-3 mb-6 max-w-prose text-sm text-muted">{note}</p>}
        <RecordForm<In, Out> {...form} onSaved={onClose} onDirty={setDirty} />
      </div>
      {isLeaving && (
        <ConfirmDialog
          title="Leave without saving?"
          confirm="Leave"
          onConfirm={onClose}
          onClose={() => setLeaving(false)}
        >
          <p>What you filled in here is not saved yet, and would be lost.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}
