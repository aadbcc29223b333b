import { Check, Download, Eye, Headphones } from 'lucide-react'
import { useState } from 'react'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { adminSubmissionsApi, type VerseSubmission } from '../../worker/contract/admin-challenge'
import { usePagedListing } from '../admin/listings'
import { useExportAndDownload } from '../exports/exports.queries'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { CheckField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useRevealSubmission } from './submissions.queries'
import { VerseDialog } from './VerseDialog'

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

type Props = {
  /** Whose verses alone are shown; those of all challenges where it is left out, without a way among the finalists. */
  challenge?: AdminChallenge
}

/** What was sent in: masked until it is revealed, which is written down; listened to, marked and picked one by one. */
export function SubmissionsTable({ challenge }: Props) {
  const [revealed, setRevealed] = useState<ReadonlyMap<string, VerseSubmission>>(new Map())
  const [openId, setOpenId] = useState<string | null>(null)
  const [onlyShortlist, setOnlyShortlist] = useState(false)
  const reveal = useRevealSubmission()
  const exporting = useExportAndDownload()
  const listing = usePagedListing({
    key: ['admin', 'submissions'],
    endpoint: adminSubmissionsApi.submissions,
    label: 'Search by name or email',
    filter: { challenge: challenge?.id ?? '', shortlisted: onlyShortlist ? '1' : '' },
  })
  // What was revealed is shown in the clear; marks and notes are what the list says now.
  const withContact = (row: VerseSubmission): VerseSubmission => {
    const { email, phoneNumber } = revealed.get(row.id) ?? row
    return { ...row, email, phoneNumber }
  }
  const columns: readonly Column<VerseSubmission>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: (row) => (
        <>
          {row.name}
          {row.isFinalist && <span className="ml-3 font-label text-gold">Finalist</span>}
        </>
      ),
    },
    { id: 'email', header: 'Email', cell: (row) => withContact(row).email },
    {
      id: 'phoneNumber',
      header: 'Phone',
      cell: (row) => <span className="figures">{withContact(row).phoneNumber}</span>,
    },
    {
      id: 'submittedAt',
      header: 'Submitted',
      cell: (row) => <span className="figures">{clock.format(Date.parse(row.submittedAt))}</span>,
    },
    {
      id: 'shortlisted',
      header: 'Shortlist',
      cell: (row) =>
        row.shortlisted ? (
          <>
            <Check size={18} aria-hidden className="inline text-gold" />
            <span className="sr-only">Yes</span>
          </>
        ) : (
          <span className="sr-only">No</span>
        ),
    },
    { id: 'note', header: 'Note', cell: (row) => <span className="line-clamp-2 wrap-anywhere">{row.note}</span> },
  ]
  const openIndex = listing.rows.findIndex(({ id }) => id === openId)
  const openVerse = listing.rows[openIndex]
  const next = openIndex >= 0 ? listing.rows[openIndex + 1] : undefined
  return (
    <>
      <DataTable
        caption="Verse submissions"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty={onlyShortlist ? 'Nothing is on the shortlist yet.' : 'No verse has been sent in yet.'}
        tools={
          <>
            <CheckField
              label="Shortlist only"
              checked={onlyShortlist}
              onChange={(event) => setOnlyShortlist(event.target.checked)}
            />
            <Button
              aria-disabled={exporting.isPending}
              onClick={() => !exporting.isPending && exporting.mutate('verse-submissions')}
            >
              <Download size={18} aria-hidden />
              {exporting.isPending ? 'Writing the file' : 'Export CSV'}
            </Button>
          </>
        }
        actions={(row) => (
          <>
            <Button variant="quiet" aria-label={`Listen to ${row.name}`} onClick={() => setOpenId(row.id)}>
              <Headphones size={18} aria-hidden />
              Listen
            </Button>
            {!revealed.has(row.id) && (
              <Button
                variant="quiet"
                aria-label={`Reveal ${row.name}`}
                onClick={() =>
                  reveal.mutate(row.id, {
                    onSuccess: (submission) => setRevealed(new Map(revealed).set(submission.id, submission)),
                    onError: ({ message }) => toast({ title: 'Not revealed', text: message, tone: 'destructive' }),
                  })
                }
              >
                <Eye size={18} aria-hidden />
                Reveal
              </Button>
            )}
          </>
        )}
      />
      {openVerse && (
        <VerseDialog
          key={openVerse.id}
          verse={withContact(openVerse)}
          challenge={challenge}
          onClose={() => setOpenId(null)}
          onNext={next && (() => setOpenId(next.id))}
        />
      )}
    </>
  )
}
