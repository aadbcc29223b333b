import { Download, Eye } from 'lucide-react'
import { useState } from 'react'
import { submissionsApi, type VerseSubmission } from '../../worker/contract/submissions'
import { usePages } from '../admin/useListing'
import { useExportNow } from '../exports/useExportNow'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { toast } from '../ui/toast'
import { useReveal } from './submissions.queries'

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** What was sent in: masked until it is revealed, which is written down. */
export function Submissions() {
  const [shown, setShown] = useState<ReadonlyMap<string, VerseSubmission>>(new Map())
  const reveal = useReveal()
  const exporting = useExportNow()
  const listing = usePages({
    key: ['admin', 'submissions'],
    endpoint: submissionsApi.submissions,
    label: 'Search by name or email',
  })
  const whole = (row: VerseSubmission) => shown.get(row.id) ?? row
  const columns: readonly Column<VerseSubmission>[] = [
    { id: 'name', header: 'Name', cell: (row) => row.name },
    { id: 'email', header: 'Email', cell: (row) => whole(row).email },
    { id: 'phoneNumber', header: 'Phone', cell: (row) => <span className="figures">{whole(row).phoneNumber}</span> },
    {
      id: 'submittedAt',
      header: 'Submitted',
      cell: (row) => <span className="figures">{clock.format(Date.parse(row.submittedAt))}</span>,
    },
  ]
  return (
    <DataTable
      caption="Verse submissions"
      listing={listing}
      columns={columns}
      rowKey={(row) => row.id}
      empty="No verse has been sent in yet."
      tools={
        <Button
          aria-disabled={exporting.isPending}
          onClick={() => !exporting.isPending && exporting.mutate('verse-submissions')}
        >
          <Download size={18} aria-hidden />
          {exporting.isPending ? 'Writing the file' : 'Export CSV'}
        </Button>
      }
      actions={(row) =>
        !shown.has(row.id) && (
          <Button
            look="quiet"
            aria-label={`Reveal ${row.name}`}
            onClick={() =>
              reveal.mutate(row.id, {
                onSuccess: (one) => setShown(new Map(shown).set(one.id, one)),
                onError: ({ message }) => toast({ title: 'Not revealed', text: message, tone: 'destructive' }),
              })
            }
          >
            <Eye size={18} aria-hidden />
            Reveal
          </Button>
        )
      }
    />
  )
}
