import { Check, Download, Eye, Headphones } from 'lucide-react'
import { useState } from 'react'
import {
  type AdminChallenge,
  adminChallengeApi,
  adminSubmissionsApi,
  type RATING_STATES,
  type SUBMISSION_STATES,
  type VerseSubmission,
} from '../../worker/contract/admin-challenge'
import { AdminPageLayout } from '../admin/AdminPageLayout'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { ScreenLink } from '../admin/ScreenLink'
import { toScreen } from '../admin/screen-location'
import { call } from '../api/call'
import { useExportAndDownload } from '../exports/exports.queries'
import { formatDateTime } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { toastError } from '../ui/toast'
import { useRevealSubmission } from './challenge-admin.queries'

type Props = {
  /** Limits the list to one challenge. */
  challenge?: AdminChallenge
}

const STATE_LABELS: Readonly<Record<(typeof SUBMISSION_STATES)[number], string>> = {
  finalist: 'Finalist',
  shortlist: 'On the shortlist',
  unconfirmed: 'Email not confirmed',
}
const RATING_LABELS: Readonly<Record<(typeof RATING_STATES)[number], string>> = {
  'not-by-me': 'Not yet rated by me',
  'by-no-one': 'Not yet rated by anyone',
}

const setShortlisted = (shortlisted: boolean) => (row: VerseSubmission) =>
  call(adminChallengeApi.updateVerse, { id: row.id, body: { shortlisted } })

type SubmissionsDefinition = Omit<AdminListDefinition<string, VerseSubmission>, 'endpoint' | 'input'>

/** The list's definition without its endpoint. `contactOf` returns a row with its contact data if that was revealed. */
const submissionsDefinition = (contactOf: (row: VerseSubmission) => VerseSubmission): SubmissionsDefinition => ({
  name: 'submissions',
  title: 'Verse submissions',
  searchLabel: 'Search by name or full email',
  nameOf: (row) => row.name,
  linkOf: (row) => toScreen('listening', { params: { id: row.challengeId }, search: { verse: row.id } }),
  columns: [
    {
      id: 'name',
      header: 'Name',
      cell: (row) => (
        <span className="wrap-anywhere">
          {row.name}
          {row.isFinalist && (
            <span className="ml-3 border border-gold px-2 py-0.5 font-label text-sm text-gold">Finalist</span>
          )}
          {!row.isConfirmed && <span className="ml-3 text-sm font-normal text-muted">Not confirmed</span>}
        </span>
      ),
      sort: 'name',
    },
    { id: 'email', header: 'Email', cell: (row) => contactOf(row).email },
    {
      id: 'phoneNumber',
      header: 'Phone',
      cell: (row) => <span className="tabular-figures">{contactOf(row).phoneNumber}</span>,
      isOptional: true,
    },
    {
      id: 'submitted',
      header: 'Submitted',
      cell: (row) => <span className="tabular-figures">{formatDateTime(row.submittedAt)}</span>,
      sort: 'submitted',
    },
    { id: 'rating', header: 'Average', cell: (row) => row.averageRating ?? 'None', isNumeric: true, sort: 'rating' },
    { id: 'mine', header: 'My rating', cell: (row) => row.myRating ?? 'None', isNumeric: true },
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
          <span className="text-muted">No</span>
        ),
    },
    {
      id: 'note',
      header: 'Note',
      cell: (row) => <span className="line-clamp-2 wrap-anywhere">{row.note}</span>,
      isOptional: true,
    },
  ],
  filters: [choiceFilter('state', 'State', STATE_LABELS), choiceFilter('rated', 'Rating', RATING_LABELS)],
  bulkActions: [
    {
      label: 'Add to the shortlist',
      appliesTo: (row) => !row.shortlisted,
      run: setShortlisted(true),
      done: 'On the shortlist',
    },
    {
      label: 'Take off the shortlist',
      appliesTo: (row) => row.shortlisted,
      run: setShortlisted(false),
      done: 'Off the shortlist',
    },
  ],
  empty: 'No verses yet. They appear here as soon as someone sends one on the challenge page.',
})

/** Submitted verses, with contact data masked until it is revealed. A row opens the verse in the listening queue. */
export function SubmissionsTable({ challenge }: Props) {
  const [revealed, setRevealed] = useState<ReadonlyMap<string, VerseSubmission>>(new Map())
  const reveal = useRevealSubmission()
  const exportCsv = useExportAndDownload()
  // `mutateAsync`, because the callbacks of `mutate` run only for the row that was revealed last.
  const revealContact = (id: string) =>
    reveal
      .mutateAsync(id)
      .then(
        (submission) => setRevealed((previous) => new Map(previous).set(id, submission)),
        toastError('Not revealed'),
      )
  const definition = submissionsDefinition((row) => revealed.get(row.id) ?? row)
  // The file always contains the verses of all challenges.
  const exportLabel = challenge ? 'Export all verses' : 'Export CSV'
  const listProps = {
    tools: (
      <>
        {challenge && (
          <ScreenLink screen="listening" params={{ id: challenge.id }} className={buttonClass('primary')}>
            <Headphones size={18} aria-hidden />
            Listen
          </ScreenLink>
        )}
        <Button
          aria-disabled={exportCsv.isPending}
          onClick={() => !exportCsv.isPending && exportCsv.mutate('verse-submissions')}
        >
          <Download size={18} aria-hidden />
          {exportCsv.isPending ? 'Writing the file' : exportLabel}
        </Button>
      </>
    ),
    actions: (row: VerseSubmission) =>
      !revealed.has(row.id) && (
        <Button variant="text" aria-label={`Reveal ${row.name}`} onClick={() => void revealContact(row.id)}>
          <Eye size={18} aria-hidden />
          Reveal
        </Button>
      ),
  }
  return challenge ? (
    <AdminList
      {...listProps}
      list={{ ...definition, endpoint: adminSubmissionsApi.ofChallenge, input: { id: challenge.id } }}
    />
  ) : (
    <AdminList {...listProps} list={{ ...definition, endpoint: adminSubmissionsApi.submissions }} />
  )
}

/** /verse-submissions: the verses of all challenges. */
export function VerseSubmissionsPage() {
  return (
    <AdminPageLayout
      title="Verse Submissions"
      back="challenge"
      note="Email addresses and phone numbers are masked. Every reveal and every export is written to the audit log."
    >
      <SubmissionsTable />
    </AdminPageLayout>
  )
}
