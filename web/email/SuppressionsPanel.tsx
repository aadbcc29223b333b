import { adminEmailApi, type EmailSuppression } from '../../worker/contract/email'
import { usePagedListing } from '../admin/listings'
import { Panel } from '../admin/Panel'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { toast } from '../ui/toast'
import { useRemoveSuppression } from './email-admin.queries'

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

const REASON_LABELS: Record<EmailSuppression['reason'], string> = {
  bounced: 'It bounced: nothing is sent there.',
  complained: 'Called our mail spam: gets only what they ask for.',
  suppressed: 'The provider does not write there.',
}

const columns: readonly Column<EmailSuppression>[] = [
  { id: 'to', header: 'To', cell: (row) => row.to ?? 'Forgotten since' },
  { id: 'reason', header: 'Why', cell: (row) => REASON_LABELS[row.reason] },
  {
    id: 'at',
    header: 'Since',
    cell: (row) => <time dateTime={row.at}>{clock.format(Date.parse(row.at))}</time>,
    numeric: true,
  },
]

/** Addresses that bounced or complained, and are not written to for that. */
export function SuppressionsPanel() {
  const listing = usePagedListing({ key: ['admin', 'mail', 'stops'], endpoint: adminEmailApi.suppressions })
  const removeSuppression = useRemoveSuppression()
  const liftSuppression = (id: string) =>
    removeSuppression.mutate(id, {
      onSuccess: () => toast({ title: 'Written to again', text: 'From the next mail on.' }),
      onError: ({ message }) => toast({ title: 'That did not work', text: message, tone: 'destructive' }),
    })
  return (
    <Panel
      title="Not written to"
      note="Addresses whose mail came back for good, or whose reader called it spam. Whoever confirms the list anew leaves this one by themselves."
    >
      <DataTable
        caption="Not written to"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="Nobody: no mail has come back."
        actions={(row) => (
          <Button aria-disabled={removeSuppression.isPending} onClick={() => liftSuppression(row.id)}>
            Write again
          </Button>
        )}
      />
    </Panel>
  )
}
