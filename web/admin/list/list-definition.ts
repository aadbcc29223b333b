import type { LinkProps } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../../worker/contract/endpoint'
import type { Input } from '../../api/call'

export type ListColumn<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The server's sort key; without it the column cannot be sorted. */
  sort?: string
  /** Right-aligned with tabular digits. */
  isNumeric?: boolean
  /** Shown only when chosen. */
  isOptional?: boolean
}

export type ListFilterDefinition =
  | { id: string; label: string; kind: 'choice'; options: readonly { value: string; label: string }[] }
  /** The value is the first and last day, `2026-01-01..2026-01-31`; one of them may be missing. */
  | { id: string; label: string; kind: 'days' }

type Labels<Value extends string> = Readonly<Record<Value, string | { label: string }>>

/** Labels by value as the options of a select or a filter. */
export const toOptions = <Value extends string>(labels: Labels<Value>) =>
  (Object.entries(labels) as [Value, string | { label: string }][]).map(([value, label]) => ({
    value,
    label: typeof label === 'string' ? label : label.label,
  }))

export const choiceFilter = <Value extends string>(
  id: string,
  label: string,
  labels: Labels<Value>,
): ListFilterDefinition => ({ id, label, kind: 'choice', options: toOptions(labels) })

type BulkActionBase<Row> = {
  /** A verb: 'Ban', 'Export'. */
  label: string
  /** Whether the action applies to a row; the others are skipped. */
  appliesTo?: (row: Row) => boolean
}

/** Sends one request for each selected row. */
export type BulkRequest<Row> = BulkActionBase<Row> & {
  run: (row: Row) => Promise<unknown>
  /** Asks for confirmation first; `title` gets the number of rows and the name of the first. */
  confirm?: { title: (count: number, name: string) => string; text: string }
  /** Undoes the action; the toast offers this for the rows that succeeded. */
  undo?: (row: Row) => Promise<unknown>
  /** First key parts of the public site's queries to refetch. The dashboard's queries are refetched anyway. */
  keys?: readonly string[]
  /** Title of the toast: 'Posts hidden'. */
  done: string
}

export type BulkDialogProps<Row> = {
  rows: readonly Row[]
  /** Deselects these rows. */
  onDone: (rows: readonly Row[]) => void
  onClose: () => void
}
/** Opens a form for the selected rows. */
export type BulkDialog<Row> = BulkActionBase<Row> & { Dialog: ComponentType<BulkDialogProps<Row>> }

/** Opens a page for the selected rows. */
type BulkLink<Row> = BulkActionBase<Row> & {
  linkOf: (rows: readonly Row[]) => Pick<LinkProps, 'to' | 'params' | 'search'>
}

/** An action on the selected rows. */
export type BulkAction<Row> = BulkRequest<Row> | BulkDialog<Row> | BulkLink<Row>

/** A list of the dashboard: what the server sends and how it is shown. */
export type AdminListDefinition<P extends string, Row> = {
  /** Names the list in query keys (after 'admin'), in saved views and in the stored choice of columns. */
  name: string
  /** Heading and accessible name. */
  title: string
  endpoint: Endpoint<P, null, z.ZodMiniType<Row[]>>
  /** Path parameters. */
  input?: Input<P, null>
  /** Filters added to every request, without being in the URL. */
  fixedFilters?: Readonly<Record<string, string>>
  /** Label of the search field: 'Search by name or email'. Without it, the list has no search. */
  searchLabel?: string
  /** Tabs of the list. Each id is a value of the server's filter `tab`. The first tab is open by default. */
  tabs?: readonly { id: string; label: string; empty: ReactNode }[]
  /** The first column names the row. */
  columns: readonly ListColumn<Row>[]
  filters?: readonly ListFilterDefinition[]
  /** Names a row, in accessible names and in messages. */
  nameOf: (row: Row) => string
  /** Identifies a row in the list; the row's `id` by default. */
  keyOf?: (row: Row) => string
  /** Link to the page of a row, from its first column. */
  linkOf?: (row: Row) => Pick<LinkProps, 'to' | 'params' | 'search'>
  /** For rows without a page: returns what the first column's button calls; undefined if a row cannot be opened. */
  openerOf?: (row: Row) => (() => void) | undefined
  bulkActions?: readonly BulkAction<Row>[]
  /** Milliseconds until a refetch; false for none. */
  refetchInterval?: (rows: readonly Row[]) => number | false
  /** Text of an empty list: what will appear, and how to get the first one. */
  empty: ReactNode
  /** Prefix of the list's URL parameters, on a screen with several lists. */
  urlPrefix?: string
}

/** The default `keyOf`, for rows with an `id`. */
export const idOf = (row: object) => (row as { id: string }).id

/** URL parameter of the open tab. */
export const TAB_FILTER = 'tab'

/** URL parameters of a list's filters, and of its tab if it has tabs. */
export const filterIdsOf = <P extends string, Row>({ tabs, filters = [] }: AdminListDefinition<P, Row>) => [
  ...(tabs ? [TAB_FILTER] : []),
  ...filters.map(({ id }) => id),
]
