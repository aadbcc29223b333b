import type { ComponentProps, ReactNode } from 'react'
import { DataTable } from '../ui/DataTable'
import { Panel } from './Panel'

type Props<Row extends object> = Omit<ComponentProps<typeof DataTable<Row>>, 'caption' | 'rowKey'> & {
  title: string
  note?: ReactNode
  /** The row's `id` by default. */
  rowKey?: (row: Row) => string
  /** Shown above the table. */
  children?: ReactNode
}

/** A panel with one table. */
export function ListPanel<Row extends object>({ title, note, children, rowKey = idOf, ...table }: Props<Row>) {
  return (
    <Panel title={title} note={note}>
      {children}
      <DataTable {...table} caption={title} rowKey={rowKey} />
    </Panel>
  )
}

const idOf = (row: object) => (row as { id: string }).id
