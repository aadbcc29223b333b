import type { QueryClient } from '@tanstack/react-query'
import type { DefaultValues, FieldValues } from 'react-hook-form'
import type { Endpoint } from '../../../worker/contract/endpoint'
import { call, callPage } from '../../api/call'
import type { CreatedRecord } from '../RecordForm'
import type { EditableListDefinition } from './EditableList'

/**
 * Calls an endpoint of an `EditableListDefinition`, whose type has already checked the path and body. Rejects if the
 * definition lacks the endpoint.
 */
export const callRecordEndpoint = (
  endpoint: Endpoint | undefined,
  input: { id?: string; body?: unknown },
): Promise<unknown> =>
  endpoint ? call(endpoint, input as never) : Promise.reject(new Error('This record cannot be changed that way.'))

/** Reads one row of a list; undefined if it was deleted. */
async function readRow<P extends string, Row extends { id: string }, Draft extends FieldValues>(
  { list }: EditableListDefinition<P, Row, Draft>,
  id: string,
): Promise<Row | undefined> {
  const query = `?${new URLSearchParams({ id })}`
  const { rows } = await callPage(list.endpoint, list.input ?? ({} as never), query)
  return (rows as readonly Row[]).find((row) => row.id === id)
}

/** A record's row and the values of its form. The row is null for a new record. */
export type OpenedRecord<Row, Draft> = { row: Row | null; values: DefaultValues<Draft> }

/** Reads the record that a form opens with; 'missing' if it was deleted or cannot be edited. */
export async function readRecord<P extends string, Row extends { id: string }, Draft extends FieldValues>(
  definition: EditableListDefinition<P, Row, Draft>,
  id: string,
  queryClient: QueryClient,
): Promise<OpenedRecord<Row, Draft> | 'missing'> {
  const { form, isEditable = () => true } = definition
  if (id === 'new')
    return { row: null, values: { ...form.blank, ...(await form.readDefaults?.(queryClient)) } as DefaultValues<Draft> }
  const row = await readRow(definition, id)
  return row && isEditable(row) ? { row, values: form.toDraft(row) as DefaultValues<Draft> } : 'missing'
}

/** How a form reads its record again: `readLatest` for a stored one, `readCreated` for a new one (`row` is null). */
export function recordReaders<P extends string, Row extends { id: string }, Draft extends FieldValues>(
  definition: EditableListDefinition<P, Row, Draft>,
  row: Row | null,
) {
  const { list, form } = definition
  if (row)
    return {
      readLatest: async () => {
        const latest = await readRow(definition, row.id)
        return latest && form.toDraft(latest)
      },
    }
  return {
    readCreated: async (saved: unknown): Promise<CreatedRecord<Draft> | undefined> => {
      const created = await readRow(definition, (saved as { id: string }).id)
      return created && { formId: `${list.name}.${created.id}`, values: form.toDraft(created) }
    },
  }
}
