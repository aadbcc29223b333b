import { useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { DefaultValues, FieldValues } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../worker/contract/endpoint'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import type { Column, TableData } from '../ui/DataTable'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { useAdminMutation, useRemoveWithUndo } from './admin.queries'
import { useAdminUserId } from './admin-session'
import { type FormDraft, formDraftKey, readFormDraft, removeFormDraft, writeFormDraft } from './form-drafts'
import { ListPanel } from './ListPanel'
import { type FieldDefinition, RecordForm, type RecordFormProps } from './RecordForm'

type RecordEndpoint = Endpoint<`${string}/:id` | `${string}/:id/restore`, null>

/** How the dashboard lists, edits, adds, deletes and restores one kind of record. */
export type CrudDefinition<Row extends { id: string }, Draft extends FieldValues> = {
  /** The panel's heading and the table's accessible name. */
  title: string
  note?: string
  /** 'track', for 'Add a track', 'A new track' and 'No tracks yet.' */
  noun: string
  empty?: string
  /** Queries to refetch after a write, as in `useAdminMutation`. */
  keys: readonly string[]
  useListing: () => TableData<Row>
  columns: readonly Column<Row>[]
  /** Names a row in the dialog's title and in the labels of its buttons. */
  nameOf: (row: Row) => string
  /** Names a row in the toast of its deletion; `nameOf` by default. */
  shortNameOf?: (row: Row) => string
  form: {
    schema: z.ZodMiniType<Draft, Draft>
    /** Fields for a row, or for a new record (null). */
    fields: readonly FieldDefinition<Draft>[] | ((row: Row | null) => readonly FieldDefinition<Draft>[])
    toDraft: (row: Row) => Draft
    note?: (row: Row | null) => string | undefined
    /** Shown below the form: fields that save at once, without the form's button. */
    after?: (row: Row) => ReactNode
    warn?: (draft: Draft) => string | undefined
    /** Text of the toast after saving. */
    savedText?: (draft: Draft) => string
    blank?: DefaultValues<Draft>
  }
  isEditable?: (row: Row) => boolean
  update: Endpoint<`${string}/:id`, z.ZodMiniType<unknown, Draft>>
  /** Without it nothing can be added. */
  add?: Endpoint<string, z.ZodMiniType<unknown, Draft>>
  /** Without it rows have no delete button. */
  remove?: RecordEndpoint
  restore?: RecordEndpoint
}

type Props<Row extends { id: string }, Draft extends FieldValues> = {
  definition: CrudDefinition<Row, Draft>
  /** The buttons of a row, given its edit and delete buttons. */
  actions?: (row: Row, standardActions: ReactNode) => ReactNode
}

/** A list of records with a dialog to add and edit them; deleting can be undone from the toast. */
export function CrudPanel<Row extends { id: string }, Draft extends FieldValues>({
  definition,
  actions = (_, standardActions) => standardActions,
}: Props<Row, Draft>) {
  const { title, note, noun, keys, nameOf, form, add, update, remove, restore } = definition
  const [open, setOpen] = useState<Row | 'new' | null>(null)
  const draftKey = formDraftKey(useAdminUserId(), noun)
  const [unsaved, setUnsaved] = useState(() => readFormDraft(draftKey))
  const [restored, setRestored] = useState<FormDraft | null>(null)
  const queries = useQueryClient()
  const listing = definition.useListing()
  const save = useAdminMutation(
    ({ id, draft }: { id: string | null; draft: Draft }) =>
      id === null ? send(add, { body: draft }) : send(update, { id, body: draft }),
    keys,
  )
  const removeWithUndo = useRemoveWithUndo({
    keys,
    remove: (id) => send(remove, { id }),
    restore: (id) => send(restore, { id }),
  })
  const openRow = open === 'new' ? null : open
  const close = () => {
    removeFormDraft(draftKey)
    setUnsaved(null)
    setRestored(null)
    setOpen(null)
  }
  const rowOf = (id: string): Row | undefined =>
    queries
      .getQueriesData<unknown>({ queryKey: ['admin', keys[0]] })
      .flatMap(([, data]) => (Array.isArray(data) ? (data as Row[]) : []))
      .find((row) => row.id === id)
  const readLatest = async (id: string) => {
    await queries.refetchQueries({ queryKey: ['admin', keys[0]] })
    const row = rowOf(id)
    return row && form.toDraft(row)
  }
  const continueEditing = (draft: FormDraft) => {
    const row = draft.id === null ? 'new' : (rowOf(draft.id) ?? listing.rows.find(({ id }) => id === draft.id))
    if (!row)
      return toast({ title: 'Not found', text: `${draft.name} is not in the list anymore.`, tone: 'destructive' })
    setRestored(draft)
    setUnsaved(null)
    setOpen(row)
  }
  const values = restored?.base ?? (openRow ? form.toDraft(openRow) : form.blank)
  const standardActions = (row: Row) => (
    <RowActions
      name={nameOf(row)}
      onEdit={(definition.isEditable?.(row) ?? true) ? () => setOpen(row) : undefined}
      onDelete={remove && (() => removeWithUndo(row.id, (definition.shortNameOf ?? nameOf)(row)))}
    />
  )
  return (
    <>
      {unsaved && !open && (
        <UnsavedNotice draft={unsaved} onContinue={() => continueEditing(unsaved)} onDiscard={close} />
      )}
      <ListPanel
        title={title}
        note={note}
        listing={listing}
        columns={definition.columns}
        empty={definition.empty ?? `No ${noun}s yet.`}
        tools={add && <Button onClick={() => setOpen('new')}>{`Add a ${noun}`}</Button>}
        actions={(row) => actions(row, standardActions(row))}
      />
      {open && (
        <RecordDialog
          title={openRow ? nameOf(openRow) : `A new ${noun}`}
          note={form.note?.(openRow)}
          after={openRow && form.after?.(openRow)}
          schema={form.schema}
          fields={typeof form.fields === 'function' ? form.fields(openRow) : form.fields}
          values={values as DefaultValues<Draft>}
          restored={restored?.values}
          onTyped={(typed) =>
            writeFormDraft(draftKey, {
              id: openRow?.id ?? null,
              name: openRow ? nameOf(openRow) : `a new ${noun}`,
              base: values as object,
              values: typed,
              savedAt: Date.now(),
            })
          }
          readLatest={openRow ? () => readLatest(openRow.id) : undefined}
          warn={form.warn}
          savedText={form.savedText}
          save={(draft) => save.mutateAsync({ id: openRow?.id ?? null, draft })}
          onClose={close}
        />
      )}
    </>
  )
}

type UnsavedNoticeProps = { draft: FormDraft; onContinue: () => void; onDiscard: () => void }

/** After a log-in: what was typed before the session ended. */
const UnsavedNotice = ({ draft, onContinue, onDiscard }: UnsavedNoticeProps) => (
  <section aria-label="Unsaved changes" className="mb-6 border border-gold p-4">
    <p className="max-w-prose">
      You were editing <strong>{draft.name}</strong> and have not saved. What you typed is still here.
    </p>
    <div className="mt-4 flex flex-wrap gap-3">
      <Button variant="primary" onClick={onContinue}>
        Continue editing
      </Button>
      <Button onClick={onDiscard}>Discard the changes</Button>
    </div>
  </section>
)

/** A definition holds only endpoints whose path and body fit; the generic `call` cannot see that. */
const send = (endpoint: Endpoint | undefined, input: { id?: string; body?: unknown }): Promise<unknown> =>
  endpoint ? call(endpoint, input as never) : Promise.reject(new Error('This record cannot be changed that way.'))

/** Edit and delete buttons of a row; their accessible labels name it. */
export function RowActions({ name, onEdit, onDelete }: { name: string; onEdit?: () => void; onDelete?: () => void }) {
  return (
    <>
      {onEdit && (
        <Button variant="text" aria-label={`Edit ${name}`} onClick={onEdit}>
          <Pencil size={18} aria-hidden />
          Edit
        </Button>
      )}
      {onDelete && (
        <Button variant="text" aria-label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 size={18} aria-hidden />
          Delete
        </Button>
      )}
    </>
  )
}

type RecordDialogProps<In extends FieldValues, Out> = Omit<RecordFormProps<In, Out>, 'onSaved' | 'onDirty'> & {
  title: string
  note?: string
  /** Shown below the form. */
  after?: ReactNode
  onClose: () => void
}

/** A record's form in a dialog, which asks before it closes over unsaved changes. */
export function RecordDialog<In extends FieldValues, Out>(props: RecordDialogProps<In, Out>) {
  const { title, note, after, onClose, ...form } = props
  const [isDirty, setIsDirty] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  return (
    <Dialog title={title} onClose={() => (isDirty ? setIsLeaving(true) : onClose())}>
      <div className="p-6 md:p-9">
        <h2 className="mr-10 mb-6 font-display text-xl wrap-anywhere">{title}</h2>
        {note && <p className="-mt-3 mb-6 max-w-prose text-sm text-muted">{note}</p>}
        <RecordForm<In, Out> {...form} onSaved={onClose} onDirty={setIsDirty} />
        {after}
      </div>
      {isLeaving && (
        <ConfirmDialog
          title="Leave without saving?"
          confirm="Leave"
          onConfirm={onClose}
          onClose={() => setIsLeaving(false)}
        >
          <p>You have unsaved changes. They will be lost.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}
