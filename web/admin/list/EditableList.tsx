import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { DefaultValues, FieldValues } from 'react-hook-form'
import type * as z from 'zod/mini'
import { OPEN_PARAM, type ScreenId } from '../../../worker/contract/admin-screens'
import type { Endpoint } from '../../../worker/contract/endpoint'
import { Button, buttonClass } from '../../ui/Button'
import { toast, toastError } from '../../ui/toast'
import { useAdminMutation, useRemoveWithUndo } from '../admin.queries'
import { UnsavedDraftNotices } from '../FormDraftNotices'
import type { PreviewComponent } from '../FormPreview'
import { RecordDialog } from '../RecordDialog'
import type { FieldDefinition } from '../RecordField'
import { RowActions } from '../RowActions'
import { ScreenLink } from '../ScreenLink'
import { toScreen, useScreenSearch } from '../screen-location'
import { AdminList } from './AdminList'
import type { AdminListDefinition } from './list-definition'
import { ReorderDialog, type ReorderEndpoint } from './ReorderDialog'
import { callRecordEndpoint, type OpenedRecord, readRecord, recordReaders } from './record-client'

type RecordEndpoint = Endpoint<`${string}/:id` | `${string}/:id/restore`, null>

/** How an `EditableList` shows, edits, adds, deletes and restores one kind of record. */
export type EditableListDefinition<P extends string, Row extends { id: string }, Draft extends FieldValues> = {
  /** The list's name begins with `keys[0]`, so that writes refetch it. Its endpoint must have a filter `id`. */
  list: AdminListDefinition<P, Row>
  note?: ReactNode
  /** What a record is called: 'track' in 'Add a track' and 'A new track'. */
  noun: string
  /** Queries to refetch after a write, as in `useAdminMutation`. */
  keys: readonly string[]
  /** Names a row in the toast of its deletion; `nameOf` by default. */
  shortNameOf?: (row: Row) => string
  form: {
    schema: z.ZodMiniType<Draft, Draft>
    /** Fields for a row, or for a new record (null). */
    fields: readonly FieldDefinition<Draft>[] | ((row: Row | null) => readonly FieldDefinition<Draft>[])
    toDraft: (row: Row) => Draft
    /** Text in the record's dialog; null is a new record. */
    note?: (row: Row | null) => string | undefined
    /** A warning shown above the button; it does not prevent saving. */
    warn?: (draft: Draft) => string | undefined
    /** Text of the toast after saving; null is a new record. */
    savedText?: (draft: Draft, row: Row | null) => string
    /** Shows what visitors see, beside the form. */
    preview?: PreviewComponent<Draft>
    /** Initial values of a new record. */
    blank?: DefaultValues<Draft>
    /** Reads values of a new record that depend on other records, such as its position. */
    readDefaults?: (queryClient: QueryClient) => Promise<DefaultValues<Draft>>
  }
  /**
   * The screen of a record that has more than a form; its path ends with the record's id, or `new`. Without it, records
   * open in a dialog.
   */
  page?: ScreenId
  isEditable?: (row: Row) => boolean
  isRemovable?: (row: Row) => boolean
  endpoints: {
    update: Endpoint<`${string}/:id`, z.ZodMiniType<unknown, Draft>>
    /** Without it, nothing can be added. */
    add?: Endpoint<string, z.ZodMiniType<unknown, Draft>>
    /** Without it, rows have no delete button. */
    remove?: RecordEndpoint
    restore?: RecordEndpoint
    /** Saves the order of all rows. Without it, rows cannot be reordered. */
    reorder?: ReorderEndpoint
  }
  /** Filters that select the rows that can be ordered; without them, all rows can. */
  orderFilters?: Readonly<Record<string, string>>
}

type Props<P extends string, Row extends { id: string }, Draft extends FieldValues> = {
  definition: EditableListDefinition<P, Row, Draft>
  /** Renders the buttons of a row; by default its edit and delete buttons, `standardActions`. */
  actions?: (row: Row, standardActions: ReactNode) => ReactNode
  /** Shown beside the button that adds a record. */
  tools?: ReactNode
}

/** The value of OPEN_PARAM that opens the reorder dialog. */
const REORDER_ID = 'order'

/** An `AdminList` whose records can be added and edited, in a dialog or on a page; deleting can be undone. */
export function EditableList<P extends string, Row extends { id: string }, Draft extends FieldValues>({
  definition,
  actions = (_, standardActions) => standardActions,
  tools,
}: Props<P, Row, Draft>) {
  const { list, note, noun, keys, page, isEditable = () => true, isRemovable = () => true } = definition
  const { add, remove, restore, reorder } = definition.endpoints
  const navigate = useNavigate()
  const [search, setSearch] = useScreenSearch()
  const openParam = (list.urlPrefix ?? '') + OPEN_PARAM
  const openId = search[openParam] ?? null
  const openDialog = (id: string) => setSearch({ [openParam]: id }, { push: true })
  const pageOf = page && ((id: string) => toScreen(page, { params: { id } }))
  const open = (id: string) => (pageOf ? void navigate(pageOf(id)) : openDialog(id))
  const sendRemove = (id: string) => callRecordEndpoint(remove, { id })
  const sendRestore = (id: string) => callRecordEndpoint(restore, { id })
  const removeWithUndo = useRemoveWithUndo({ keys, remove: sendRemove, restore: sendRestore })
  const close = () => setSearch({ [openParam]: '' })
  const { nameOf } = list
  const deletion = {
    label: 'Delete',
    appliesTo: isRemovable,
    run: ({ id }: Row) => sendRemove(id),
    undo: ({ id }: Row) => sendRestore(id),
    keys,
    done: 'Deleted',
  }
  const standardActions = (row: Row) => (
    <RowActions
      name={nameOf(row)}
      page={isEditable(row) ? pageOf?.(row.id) : undefined}
      onEdit={isEditable(row) && !page ? () => open(row.id) : undefined}
      onDelete={
        remove && isRemovable(row) ? () => removeWithUndo(row.id, (definition.shortNameOf ?? nameOf)(row)) : undefined
      }
    />
  )
  return (
    <>
      <UnsavedDraftNotices list={list.name} isFormOpen={openId !== null} onContinue={open} />
      <AdminList
        list={{
          linkOf: pageOf && ((row) => pageOf(row.id)),
          openerOf: (row) => (isEditable(row) ? () => open(row.id) : undefined),
          ...list,
          bulkActions: remove && restore ? [...(list.bulkActions ?? []), deletion] : list.bulkActions,
        }}
        note={note}
        tools={
          <>
            {add && !page && <Button onClick={() => open('new')}>{`Add a ${noun}`}</Button>}
            {add && page && (
              <ScreenLink screen={page} params={{ id: 'new' }} className={buttonClass()}>
                {`Add a ${noun}`}
              </ScreenLink>
            )}
            {reorder && <Button onClick={() => openDialog(REORDER_ID)}>Change the order</Button>}
            {tools}
          </>
        }
        actions={(row) => actions(row, standardActions(row))}
      />
      {openId === REORDER_ID && reorder && (
        <ReorderDialog list={list} endpoint={reorder} filters={definition.orderFilters} keys={keys} onClose={close} />
      )}
      {openId !== null && openId !== REORDER_ID && !page && (
        <RecordEditor key={openId} id={openId} definition={definition} onClose={close} />
      )}
    </>
  )
}

type EditorProps<P extends string, Row extends { id: string }, Draft extends FieldValues> = {
  definition: EditableListDefinition<P, Row, Draft>
  /** Id of the record, or `new`. */
  id: string
  onClose: () => void
}

function RecordEditor<P extends string, Row extends { id: string }, Draft extends FieldValues>({
  definition,
  id,
  onClose,
}: EditorProps<P, Row, Draft>) {
  const { list, noun, keys, form } = definition
  const { add, update } = definition.endpoints
  const queryClient = useQueryClient()
  // Refetches do not change the form: the admin may have typed into it.
  const [opened, setOpened] = useState<OpenedRecord<Row, Draft> | null>(() => {
    const row = id === 'new' ? null : cachedRow<Row>(queryClient, list.name, id)
    if (row) return { row, values: form.toDraft(row) as DefaultValues<Draft> }
    return id === 'new' && !form.readDefaults ? { row: null, values: form.blank ?? ({} as DefaultValues<Draft>) } : null
  })
  const save = useAdminMutation(
    (draft: Draft) =>
      opened?.row ? callRecordEndpoint(update, { id, body: draft }) : callRecordEndpoint(add, { body: draft }),
    keys,
  )
  const initial = useQuery({
    queryKey: ['admin', ...list.name.split('.'), 'form', id],
    queryFn: () => readRecord(definition, id, queryClient),
    enabled: opened === null,
    staleTime: 0,
    gcTime: 0,
  })
  // Opens the form once the record has been read, or closes the editor with the reason.
  useEffect(() => {
    if (opened || initial.isFetching) return
    if (initial.data && initial.data !== 'missing') return setOpened(initial.data)
    if (initial.data === undefined && !initial.error) return
    if (initial.error) toastError('Not opened')(initial.error)
    else toast({ title: 'Not found', text: `This ${noun} was deleted or can’t be edited.`, tone: 'destructive' })
    onClose()
  })
  if (!opened) return null
  const { row } = opened
  return (
    <RecordDialog
      title={row ? list.nameOf(row) : `A new ${noun}`}
      formId={`${list.name}.${id}`}
      note={form.note?.(row)}
      schema={form.schema}
      fields={typeof form.fields === 'function' ? form.fields(row) : form.fields}
      values={opened.values}
      {...recordReaders(definition, row)}
      preview={form.preview}
      recordId={id}
      warn={form.warn}
      savedText={(draft) => form.savedText?.(draft, row)}
      save={(draft) => save.mutateAsync(draft)}
      onClose={onClose}
    />
  )
}

/** A row from the cached pages of the list. */
const cachedRow = <Row extends { id: string }>(queryClient: QueryClient, name: string, id: string): Row | undefined =>
  queryClient
    .getQueriesData<{ rows: readonly Row[] }>({ queryKey: ['admin', ...name.split('.'), 'list'] })
    .flatMap(([, page]) => page?.rows ?? [])
    .find((row) => row.id === id)
