import { useState } from 'react'
import { type AdminPointsEntry, adminUsersApi } from '../../worker/contract/admin'
import { pointsApi } from '../../worker/contract/points'
import type { SupporterDetails } from '../../worker/contract/supporter-page'
import { call } from '../api/call'
import { ReasonDialog } from '../layout/ReasonForm'
import { formatCount, formatDateTime, formatSigned } from '../lib/format'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { AdjustPointsDialog } from './AdjustPointsDialog'
import { SUPPORTER_QUERY_KEYS, useAdminMutation } from './admin.queries'
import { AdminList } from './list/AdminList'
import type { AdminListDefinition } from './list/list-definition'

const STATE_LABELS = { stands: 'Valid', taken_back: 'Taken back', reversal: 'Reversal' }

const ledgerList = (id: string): AdminListDefinition<'/api/admin/supporters/:id/points', AdminPointsEntry> => ({
  name: 'supporters.points',
  title: 'Points ledger',
  endpoint: adminUsersApi.points,
  input: { id },
  nameOf: (row) => row.description,
  columns: [
    { id: 'why', header: 'Reason', cell: (row) => row.description },
    {
      id: 'at',
      header: 'Time',
      cell: (row) => <span className="tabular-figures">{formatDateTime(row.createdAt)}</span>,
    },
    { id: 'points', header: 'Points', cell: (row) => formatSigned(row.points), isNumeric: true },
    {
      id: 'state',
      header: 'State',
      cell: (row) => (
        <span className={row.state === 'stands' ? undefined : 'text-muted'}>{STATE_LABELS[row.state]}</span>
      ),
    },
  ],
  empty: 'No points yet.',
})

/** A supporter's ledger. Admins can reverse entries, and add or remove points, each with a reason. */
export function SupporterPoints({ supporter }: { supporter: SupporterDetails }) {
  const [isAdjusting, setIsAdjusting] = useState(false)
  const [reversing, setReversing] = useState<AdminPointsEntry | null>(null)
  // Another admin may have reversed the entry, so refetch after errors too.
  const reversal = useAdminMutation(
    (input: { id: string; body: { reason: string } }) => call(pointsApi.reverse, input),
    SUPPORTER_QUERY_KEYS,
    { refetchOn: 'settled' },
  )
  return (
    <>
      <AdminList
        list={ledgerList(supporter.id)}
        note={
          <>
            <strong className="tabular-figures text-gold">{formatCount(supporter.points)}</strong> points in all: the
            sum of these entries.
          </>
        }
        tools={<Button onClick={() => setIsAdjusting(true)}>Adjust points</Button>}
        actions={(row) =>
          row.state === 'stands' && (
            <Button variant="text" aria-label={`Take back ${row.description}`} onClick={() => setReversing(row)}>
              Take back
            </Button>
          )
        }
      />
      {isAdjusting && <AdjustPointsDialog supporter={supporter} onClose={() => setIsAdjusting(false)} />}
      {reversing && (
        <ReasonDialog
          title={`Take back ${formatSigned(reversing.points)} from ${supporter.username}?`}
          confirmLabel="Take back"
          hint="The supporter sees it in their points history. It is also written to the audit log."
          onSubmit={(reason) =>
            reversal.mutateAsync({ id: reversing.id, body: { reason } }).then(() =>
              toast({
                title: 'Points taken back',
                text: `${formatSigned(-reversing.points)} for ${supporter.username}.`,
              }),
            )
          }
          onClose={() => setReversing(null)}
        >
          <p className="text-ivory">{reversing.description}</p>
          <p>The points change right away, and what earned them never earns points again. This can’t be undone.</p>
        </ReasonDialog>
      )}
    </>
  )
}
