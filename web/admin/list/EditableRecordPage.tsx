import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ScreenId } from '../../../worker/contract/admin-screens'
import { capitalize } from '../../lib/format'
import { EmptyNotice } from '../../ui/EmptyNotice'
import { QueryBoundary } from '../../ui/QueryBoundary'
import { useAdminMutation } from '../admin.queries'
import { RecordForm } from '../RecordForm'
import { RecordHeader } from '../RecordHeader'
import { toScreen } from '../screen-location'
import { useAutosave } from '../useFormDraft'
import type { EditableListDefinition } from './EditableList'
import { callRecordEndpoint, type OpenedRecord, readRecord, recordReaders } from './record-client'

type Props<P extends string, Row extends { id: string }, Draft extends FieldValues> = {
  definition: EditableListDefinition<P, Row, Draft> & { page: ScreenId }
  /** Id of the record, or `new`. A page of another record needs another `key`. */
  id: string
  /** The screen of the list. */
  back: ScreenId
  /** Shown between the heading and the form. */
  before?: (row: Row) => ReactNode
  /** Shown below the form: fields that save at once, without the form's button. */
  after?: (row: Row) => ReactNode
}

/** The page of a record of an `EditableList`. Once a new record is saved, its own page replaces this one. */
export function EditableRecordPage<P extends string, Row extends { id: string }, Draft extends FieldValues>({
  definition,
  id,
  back,
  before,
  after,
}: Props<P, Row, Draft>) {
  const { list, noun } = definition
  const queryClient = useQueryClient()
  const query = useQuery({
    queryKey: ['admin', ...list.name.split('.'), 'record', id],
    queryFn: () => readRecord(definition, id, queryClient),
    staleTime: 0,
    // An outdated version would make the first save a conflict.
    gcTime: 0,
  })
  const row = query.data === 'missing' ? null : query.data?.row
  const title = row ? list.nameOf(row) : capitalize(noun)
  return (
    <>
      <RecordHeader back={back} title={id === 'new' ? `A new ${noun}` : title} />
      <QueryBoundary
        query={query}
        loading={{ label: `Loading the ${noun}`, className: 'h-96' }}
        error={`The ${noun} could not be loaded.`}
      >
        {(opened) =>
          opened === 'missing' ? (
            <EmptyNotice>This {noun} was deleted. Go back to the list to open another one.</EmptyNotice>
          ) : (
            <div className="max-w-6xl">
              {opened.row && before?.(opened.row)}
              <EditableRecordForm definition={definition} opened={opened} />
              {opened.row && after?.(opened.row)}
            </div>
          )
        }
      </QueryBoundary>
    </>
  )
}

type FormProps<P extends string, Row extends { id: string }, Draft extends FieldValues> = {
  definition: EditableListDefinition<P, Row, Draft> & { page: ScreenId }
  opened: OpenedRecord<Row, Draft>
}

/** The page's form. A refetch can change which fields it has, but not their values. */
function EditableRecordForm<P extends string, Row extends { id: string }, Draft extends FieldValues>({
  definition,
  opened: { row, values },
}: FormProps<P, Row, Draft>) {
  const { list, noun, keys, form, page } = definition
  const { add, update } = definition.endpoints
  const navigate = useNavigate()
  const addedId = useRef<string>(null)
  const save = useAdminMutation(
    (body: Draft) => (row ? callRecordEndpoint(update, { id: row.id, body }) : callRecordEndpoint(add, { body })),
    keys,
  )
  const autosave = useAutosave(`${list.name}.${row?.id ?? 'new'}`, row ? list.nameOf(row) : `A new ${noun}`)
  return (
    <RecordForm
      schema={form.schema}
      fields={typeof form.fields === 'function' ? form.fields(row) : form.fields}
      values={values}
      {...recordReaders(definition, row)}
      preview={form.preview}
      recordId={row?.id}
      warn={form.warn}
      savedText={(draft) => form.savedText?.(draft, row)}
      autosave={autosave}
      save={async (draft) => {
        const saved = await save.mutateAsync(draft)
        if (!row) addedId.current = (saved as { id: string }).id
        return saved
      }}
      onSaved={() => {
        if (addedId.current) void navigate({ ...toScreen(page, { params: { id: addedId.current } }), replace: true })
      }}
    />
  )
}
