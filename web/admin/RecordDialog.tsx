import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Dialog } from '../ui/Dialog'
import { RecordForm } from './RecordForm'

type Props<In extends FieldValues, Out> = Omit<ComponentProps<typeof RecordForm<In, Out>>, 'onSaved'> & {
  title: string
  /** What should be known before anything is changed. */
  note?: string
  onClose: () => void
}

/** A record's form on a sheet over its list. */
export function RecordDialog<In extends FieldValues, Out>({ title, note, onClose, ...form }: Props<In, Out>) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="p-6 md:p-9">
        <h2 className="mr-10 mb-6 font-display text-xl wrap-anywhere">{title}</h2>
        {note && <p className="-mt-3 mb-6 max-w-prose text-sm text-muted">{note}</p>}
        <RecordForm<In, Out> {...form} onSaved={onClose} />
      </div>
    </Dialog>
  )
}
