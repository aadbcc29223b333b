import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminPointsEntry, type AdminSupporter, adminUsersApi } from '../../worker/contract/admin'
import { pointsApi } from '../../worker/contract/points'
import { call } from '../api/call'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { usePagedListing } from './listings'
import { ReasonForm } from './ReasonForm'
import { SUPPORTERS_KEY } from './SupportersTab'

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const formatSigned = (points: number) => `${points < 0 ? '−' : '+'}${Math.abs(points).toLocaleString('en-US')}`
const STATE_LABELS = { stands: 'Stands', taken_back: 'Taken back', reversal: 'Reversal' }

const columns: readonly Column<AdminPointsEntry>[] = [
  {
    id: 'at',
    header: 'When',
    cell: (row) => <span className="figures">{clock.format(Date.parse(row.createdAt))}</span>,
  },
  { id: 'why', header: 'Why', cell: (row) => row.description },
  { id: 'points', header: 'Points', cell: (row) => formatSigned(row.points), numeric: true },
  {
    id: 'state',
    header: 'State',
    cell: (row) => <span className={row.state === 'stands' ? undefined : 'text-muted'}>{STATE_LABELS[row.state]}</span>,
  },
]

/** A supporter's ledger: why each point came, and what was wrongly earned is taken back with a reason. */
export function SupporterPointsDialog({ supporter, onClose }: { supporter: AdminSupporter; onClose: () => void }) {
  const [reversing, setReversing] = useState<AdminPointsEntry | null>(null)
  const queries = useQueryClient()
  const reversal = useMutation({
    mutationFn: (input: { id: string; body: { reason: string } }) => call(pointsApi.reverse, input),
    // Also when it was refused: somebody else took them back, and the list says so then.
    onSettled: () => queries.invalidateQueries({ queryKey: SUPPORTERS_KEY }),
  })
  const listing = usePagedListing({
    key: [...SUPPORTERS_KEY, supporter.id, 'points'],
    endpoint: adminUsersApi.points,
    input: { id: supporter.id },
  })
  const title = `Points of ${supporter.username}`
  return (
    <Dialog title={title} onClose={onClose}>
      {reversing ? (
        <ReasonForm
          title={`Void ${formatSigned(reversing.points)} of ${supporter.username}?`}
          confirm="Void"
          hint="The supporter reads it in their points history, and it stands in the audit log."
          onSubmit={(reason) => reversal.mutateAsync({ id: reversing.id, body: { reason } })}
          onDone={() => {
            toast({ title: 'Voided', text: `${reversing.points} points were taken back from ${supporter.username}.` })
            setReversing(null)
          }}
          onCancel={() => setReversing(null)}
        >
          <p className="text-ivory">{reversing.description}</p>
          <p>The points go back at once, and this act earns none again. It cannot be undone.</p>
        </ReasonForm>
      ) : (
        <div className="grid gap-8 p-6 md:p-9">
          <header className="mr-10">
            <h2 className="font-display text-xl break-words">{title}</h2>
            <p className="mt-2 text-muted">
              <strong className="figures text-gold">{supporter.points.toLocaleString('en-US')}</strong> in all: the sum
              of these lines, newest first.
            </p>
          </header>
          <DataTable
            caption={title}
            listing={listing}
            columns={columns}
            rowKey={(row) => row.id}
            empty="No points yet."
            actions={(row) =>
              row.state === 'stands' && (
                <Button variant="quiet" aria-label={`Void ${row.description}`} onClick={() => setReversing(row)}>
                  Void
                </Button>
              )
            }
          />
        </div>
      )}
    </Dialog>
  )
}
