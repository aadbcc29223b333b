import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { errorMessage } from '../../api/call'
import { formatCount } from '../../lib/format'
import { Button, buttonClass } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { toast } from '../../ui/toast'
import type { AdminListDefinition, BulkAction, BulkDialog, BulkRequest } from './list-definition'
import type { AdminListState } from './useAdminList'

type Props<P extends string, Row extends object> = {
  list: AdminListDefinition<P, Row>
  state: AdminListState<Row>
  actions: readonly BulkAction<Row>[]
}

/** Buttons for the selected rows. Rows whose request fails stay selected, and the reasons are listed. */
export function BulkBar<P extends string, Row extends object>({ list, state, actions }: Props<P, Row>) {
  const queryClient = useQueryClient()
  const [confirming, setConfirming] = useState<BulkRequest<Row> | null>(null)
  const [openDialog, setOpenDialog] = useState<{ action: BulkDialog<Row>; rows: readonly Row[] } | null>(null)
  const [doneCount, setDoneCount] = useState(0)
  const [totalCount, setTotalCount] = useState(0)
  const [failures, setFailures] = useState<readonly { key: string; text: string }[]>([])
  const refetch = ({ keys = [] }: BulkRequest<Row>) =>
    Promise.all([['admin'], ...keys.map((key) => [key])].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  const rowsFor = ({ appliesTo = () => true }: BulkAction<Row>) => state.selected.filter(appliesTo)
  const confirmTitle = ({ title }: NonNullable<BulkRequest<Row>['confirm']>, rows: readonly Row[]) =>
    title(rows.length, rows[0] ? list.nameOf(rows[0]) : '')
  /** Sends one request after the other, because all write to the same tables. Returns the rows that succeeded. */
  async function runForEach(rows: readonly Row[], send: (row: Row) => Promise<unknown>): Promise<readonly Row[]> {
    setDoneCount(0)
    setTotalCount(rows.length)
    setFailures([])
    const succeeded: Row[] = []
    const failed: { key: string; text: string }[] = []
    for (const row of rows) {
      try {
        await send(row)
        succeeded.push(row)
      } catch (error) {
        failed.push({ key: state.keyOf(row), text: `${list.nameOf(row)}: ${errorMessage(error as Error)}` })
      }
      setDoneCount(succeeded.length + failed.length)
    }
    setFailures(failed)
    return succeeded
  }
  const run = useMutation({
    mutationFn: async (action: BulkRequest<Row>) => {
      const rows = rowsFor(action)
      return { action, count: rows.length, succeeded: await runForEach(rows, action.run) }
    },
    onSuccess: ({ action, count, succeeded }) => {
      state.select(succeeded, false)
      if (succeeded.length > 0)
        toast({
          title: action.done,
          text: `${formatCount(succeeded.length)} of ${formatCount(count)}.`,
          ...(action.undo && { action: { label: 'Undo', onPress: () => undo.mutate({ action, rows: succeeded }) } }),
        })
    },
    onSettled: async (_data, _error, action) => {
      setConfirming(null)
      await refetch(action)
    },
  })
  const undo = useMutation({
    mutationFn: async ({ action, rows }: { action: BulkRequest<Row>; rows: readonly Row[] }) => {
      const restored = await runForEach(rows, async (row) => action.undo?.(row))
      const failedCount = rows.length - restored.length
      if (failedCount > 0)
        toast({
          title: 'Not restored',
          text: `${formatCount(failedCount)} of ${formatCount(rows.length)}.`,
          tone: 'destructive',
        })
    },
    onSettled: (_data, _error, { action }) => refetch(action),
  })
  function start(action: BulkAction<Row>, rows: readonly Row[]) {
    if ('Dialog' in action) setOpenDialog({ action, rows })
    else if ('run' in action) {
      if (action.confirm) setConfirming(action)
      else run.mutate(action)
    }
  }
  if (state.selected.length === 0 && failures.length === 0 && !openDialog) return null
  return (
    <section
      aria-label="Selected rows"
      className="sticky bottom-[calc(var(--bottom-bar,0rem)+0.75rem)] z-10 mb-4 border border-gold bg-sleeve-high p-3 md:top-[calc(var(--list-top,var(--nav-height))+0.5rem)] md:bottom-auto"
    >
      <div className="flex flex-wrap items-center gap-3">
        <p className="tabular-figures px-2" role="status">
          {run.isPending ? `${doneCount} of ${totalCount} done` : `${state.selected.length} selected`}
        </p>
        {actions.map((action) => {
          const rows = rowsFor(action)
          const isDisabled = run.isPending || undo.isPending || rows.length === 0
          if ('linkOf' in action && !isDisabled)
            return (
              <Link key={action.label} {...action.linkOf(rows)} className={buttonClass()}>
                {action.label}
              </Link>
            )
          return (
            <Button key={action.label} aria-disabled={isDisabled} onClick={() => !isDisabled && start(action, rows)}>
              {action.label}
            </Button>
          )
        })}
        <Button
          variant="text"
          onClick={() => {
            setFailures([])
            state.select(state.rows, false)
          }}
        >
          Clear selection
        </Button>
      </div>
      {failures.length > 0 && (
        <ul role="alert" className="mt-2 px-2 text-sm text-sunset">
          {failures.map(({ key, text }) => (
            <li key={key}>{text}</li>
          ))}
        </ul>
      )}
      {openDialog && (
        <openDialog.action.Dialog
          rows={openDialog.rows}
          onDone={(rows) => state.select(rows, false)}
          onClose={() => setOpenDialog(null)}
        />
      )}
      {confirming?.confirm && (
        <ConfirmDialog
          title={confirmTitle(confirming.confirm, rowsFor(confirming))}
          confirmLabel={confirming.label}
          pending={run.isPending}
          onConfirm={() => run.mutate(confirming)}
          onClose={() => setConfirming(null)}
        >
          <p>{confirming.confirm.text}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
