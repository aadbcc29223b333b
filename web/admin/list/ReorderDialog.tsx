import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useId, useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../../worker/contract/endpoint'
import type { ListOrder } from '../../../worker/contract/fields'
import { call } from '../../api/call'
import { moveItem } from '../../lib/move-item'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Dialog } from '../../ui/Dialog'
import { QueryBoundary } from '../../ui/QueryBoundary'
import { toast, toastError } from '../../ui/toast'
import { readAllRows, useAdminMutation } from '../admin.queries'
import { DragHandle, MoveButtons, useDragOrder } from '../drag-order'
import type { AdminListDefinition } from './list-definition'

export type ReorderEndpoint = Endpoint<string, z.ZodMiniType<ListOrder, ListOrder>>

type Props<P extends string, Row extends { id: string }> = {
  list: AdminListDefinition<P, Row>
  /** Saves the ids of all rows in their order. */
  endpoint: ReorderEndpoint
  /** Filters that select the rows to order; without them, all rows. */
  filters?: Readonly<Record<string, string>>
  /** Queries to refetch, as in `useAdminMutation`. */
  keys: readonly string[]
  onClose: () => void
}

/** Orders the rows of a list by dragging, arrow keys or buttons; the toast of a saved order offers to undo it. */
export function ReorderDialog<P extends string, Row extends { id: string }>(props: Props<P, Row>) {
  const { list, endpoint, filters, keys, onClose } = props
  const title = `Order of ${list.title.toLowerCase()}`
  const [isDirty, setIsDirty] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  const query = useQuery({
    queryKey: ['admin', ...list.name.split('.'), 'order'],
    queryFn: () => {
      const params = new URLSearchParams({ sort: 'position', ...list.fixedFilters, ...filters })
      return readAllRows(list.endpoint, list.input ?? ({} as never), `?${params}`)
    },
    staleTime: 0,
    gcTime: 0,
    // The form starts from the order of the first read, and a refetch would not change it.
    refetchOnWindowFocus: false,
  })
  const save = useAdminMutation((ids: readonly string[]) => call(endpoint, { body: { ids: [...ids] } }), keys)
  const saveOrder = (ids: readonly string[], previousIds: readonly string[]) =>
    save.mutateAsync(ids).then(() => {
      onClose()
      toast({
        title: 'Order saved',
        text: `${list.title} are in their new order.`,
        action: {
          label: 'Undo',
          // `mutateAsync`, because the callbacks of `mutate` do not run after the dialog was unmounted.
          onPress: () => void save.mutateAsync(previousIds).catch(toastError('Not changed back')),
        },
      })
    }, toastError('Order not saved'))
  return (
    <Dialog title={title} onClose={() => (isDirty ? setIsLeaving(true) : onClose())}>
      <div className="p-6 md:p-9">
        <h2 className="mr-10 mb-4 font-display text-xl">{title}</h2>
        <QueryBoundary
          query={query}
          loading={{ label: `Loading ${list.title.toLowerCase()}`, className: 'h-72' }}
          error={`${list.title} could not be loaded.`}
        >
          {(rows) => (
            <ReorderForm
              rows={rows}
              nameOf={list.nameOf}
              isSaving={save.isPending}
              onDirty={setIsDirty}
              onSave={saveOrder}
              onCancel={onClose}
            />
          )}
        </QueryBoundary>
      </div>
      {isLeaving && (
        <ConfirmDialog
          title="Leave without saving?"
          confirmLabel="Leave"
          onConfirm={onClose}
          onClose={() => setIsLeaving(false)}
        >
          <p>The new order of “{list.title}” is not saved yet. It will be lost.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

type FormProps<Row> = {
  rows: readonly Row[]
  nameOf: (row: Row) => string
  isSaving: boolean
  onDirty: (isDirty: boolean) => void
  onSave: (ids: readonly string[], previousIds: readonly string[]) => void
  onCancel: () => void
}

function ReorderForm<Row extends { id: string }>({
  rows,
  nameOf,
  isSaving,
  onDirty,
  onSave,
  onCancel,
}: FormProps<Row>) {
  const hintId = useId()
  const [savedIds] = useState(() => rows.map(({ id }) => id))
  const [ids, setIds] = useState(savedIds)
  const names = new Map(rows.map((row) => [row.id, nameOf(row)]))
  const nameOfId = (id: string) => names.get(id) ?? ''
  const { list, move, handleProps, rowClass, announcement } = useDragOrder(ids.map(nameOfId), (from, to) => {
    setIds(moveItem(ids, from, to))
    onDirty(true)
  })
  if (ids.length < 2)
    return <p className="text-muted">There is nothing to order yet. Add at least two, then come back.</p>
  return (
    <>
      <p id={hintId} className="max-w-prose text-sm text-muted">
        Drag the handle or press the up and down arrows on it to change the order.
      </p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ol ref={list} className="mt-4 border-y border-rule">
        {ids.map((id, index) => (
          <li key={id} className={clsx('flex items-center gap-x-3 border-y-2 bg-background py-1', rowClass(index))}>
            <DragHandle name={nameOfId(id)} hintId={hintId} {...handleProps(index)} />
            <span className="tabular-figures w-6 shrink-0 text-right font-display text-muted">{index + 1}</span>
            <span className="min-w-0 flex-1 wrap-anywhere">{nameOfId(id)}</span>
            <span className="flex">
              <MoveButtons name={nameOfId(id)} index={index} count={ids.length} move={move} />
            </span>
          </li>
        ))}
      </ol>
      <div className="mt-8 flex flex-wrap gap-3">
        <Button variant="primary" aria-disabled={isSaving} onClick={() => isSaving || onSave(ids, savedIds)}>
          {isSaving ? 'Saving' : 'Save the order'}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  )
}
