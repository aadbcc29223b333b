import { Check, Download, Eye, Headphones } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import {
  type AdminChallenge,
  adminChallengeApi,
  adminSubmissionsApi,
  type VerseSubmission,
} from '../../worker/contract/admin-challenge'
import { AdminPageLayout } from '../admin/AdminPageLayout'
import { usePagedListing } from '../admin/listings'
import { errorMessage, fillPath } from '../api/call'
import { useExportAndDownload } from '../exports/exports.queries'
import { formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { Dialog } from '../ui/Dialog'
import { CheckField, TextAreaField, TextField } from '../ui/Field'
import { toast, toastError } from '../ui/toast'
import { useNameFinalists, useRevealSubmission, useUpdateVerse } from './challenge-admin.queries'
import { areFinalistsEditable, arePicksPublic, PICKS_ARE_PUBLIC } from './challenge-admin-text'
import { RemoveFinalistDialog } from './FinalistsEditor'
import { VersePlayer } from './VersePlayer'

type Props = {
  /** Limits the list to one challenge; without it, all are listed and finalist controls are hidden. */
  challenge?: AdminChallenge
}

/** Submitted verses, masked until revealed. */
export function SubmissionsTable({ challenge }: Props) {
  const [revealed, setRevealed] = useState<ReadonlyMap<string, VerseSubmission>>(new Map())
  const [openId, setOpenId] = useState<string | null>(null)
  const [onlyShortlist, setOnlyShortlist] = useState(false)
  const reveal = useRevealSubmission()
  const exportCsv = useExportAndDownload()
  const listing = usePagedListing({
    key: ['admin', 'submissions'],
    endpoint: adminSubmissionsApi.submissions,
    label: 'Search by name or email',
    filter: { challenge: challenge?.id ?? '', shortlisted: onlyShortlist ? '1' : '' },
  })
  // A promise, because `mutate` drops its callbacks when another row is revealed meanwhile.
  const revealContact = (id: string) =>
    reveal
      .mutateAsync(id)
      .then((submission) => setRevealed((known) => new Map(known).set(id, submission)), toastError('Not revealed'))
  // Revealed contact data merged into the current list row.
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
          {!row.isConfirmed && <span className="ml-3 text-sm text-muted">Not confirmed</span>}
        </>
      ),
    },
    { id: 'email', header: 'Email', cell: (row) => withContact(row).email },
    {
      id: 'phoneNumber',
      header: 'Phone',
      cell: (row) => <span className="tabular-figures">{withContact(row).phoneNumber}</span>,
    },
    {
      id: 'submittedAt',
      header: 'Submitted',
      cell: (row) => <span className="tabular-figures">{formatDateTime(row.submittedAt)}</span>,
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
  const nextVerse = openIndex >= 0 ? listing.rows[openIndex + 1] : undefined
  return (
    <>
      <DataTable
        caption="Verse submissions"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty={onlyShortlist ? 'The shortlist is empty.' : 'No verses yet.'}
        tools={
          <>
            <CheckField
              label="Shortlist only"
              checked={onlyShortlist}
              onChange={(event) => setOnlyShortlist(event.target.checked)}
            />
            <Button
              aria-disabled={exportCsv.isPending}
              onClick={() => !exportCsv.isPending && exportCsv.mutate('verse-submissions')}
            >
              <Download size={18} aria-hidden />
              {exportCsv.isPending ? 'Writing the file' : 'Export CSV'}
            </Button>
          </>
        }
        actions={(row) => (
          <>
            <Button variant="text" aria-label={`Listen to ${row.name}`} onClick={() => setOpenId(row.id)}>
              <Headphones size={18} aria-hidden />
              Listen
            </Button>
            {!revealed.has(row.id) && (
              <Button variant="text" aria-label={`Reveal ${row.name}`} onClick={() => void revealContact(row.id)}>
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
          onNext={nextVerse && (() => setOpenId(nextVerse.id))}
        />
      )}
    </>
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

type VerseDialogProps = {
  /** Its contact data is masked until revealed. */
  verse: VerseSubmission
  challenge: AdminChallenge | undefined
  onClose: () => void
  /** Opens the next row; undefined at the end of the list. */
  onNext?: () => void
}

/** A verse with player, shortlist checkbox, note and finalist controls. */
function VerseDialog({ verse, challenge, onClose, onNext }: VerseDialogProps) {
  const saveNoteMutation = useUpdateVerse(verse.id)
  const shortlistMutation = useUpdateVerse(verse.id)
  // Set optimistically, and reverted on error.
  const [isShortlisted, setIsShortlisted] = useState(verse.shortlisted)
  const [note, setNote] = useState(verse.note)
  const [fieldError, setFieldError] = useState<string>()
  const isNoteChanged = note.trim() !== verse.note
  const setShortlisted = (shortlisted: boolean) => {
    setIsShortlisted(shortlisted)
    shortlistMutation.mutate(
      { shortlisted },
      {
        onError: ({ message }) => {
          setIsShortlisted(!shortlisted)
          toast({ title: 'Not saved', text: message, tone: 'destructive' })
        },
      },
    )
  }
  const saveNote = async () => {
    if (!isNoteChanged) return true
    setFieldError(undefined)
    return saveNoteMutation.mutateAsync({ note }).then(
      () => true,
      (error: Error) => {
        setFieldError(errorMessage(error))
        return false
      },
    )
  }
  // Saves the note before the dialog closes or shows the next verse.
  const saveThen = (action: () => void) => void saveNote().then((isSaved) => isSaved && action())
  return (
    <Dialog title={verse.name} onClose={() => saveThen(onClose)}>
      <div className="grid gap-8 p-6 md:p-9">
        <header className="mr-10">
          <p className="font-label text-gold">{verse.isFinalist ? 'Finalist' : 'Verse'}</p>
          <h2 className="mt-2 font-display text-xl wrap-anywhere">{verse.name}</h2>
          <p className="mt-2 text-sm text-muted wrap-anywhere">
            {verse.email} · <span className="tabular-figures">{verse.phoneNumber}</span>
          </p>
        </header>
        {verse.hasRecording ? (
          <VersePlayer src={fillPath(adminChallengeApi.verseAudio.path, { id: verse.id })} name={verse.name} />
        ) : (
          <p className="text-muted">This verse has no recording.</p>
        )}
        <CheckField
          label="On the shortlist"
          checked={isShortlisted}
          onChange={(event) => setShortlisted(event.target.checked)}
        />
        <TextAreaField
          label="Note"
          hint="Only the team sees the shortlist."
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          onBlur={() => void saveNote()}
          error={fieldError}
        />
        {challenge && <FinalistControls verse={verse} challenge={challenge} />}
        <div className="flex flex-wrap gap-3 border-t border-rule pt-6">
          {onNext && <Button onClick={() => saveThen(onNext)}>Next verse</Button>}
          <Button variant="text" onClick={() => saveThen(onClose)}>
            Back to the list
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

type FinalistControlsProps = { verse: VerseSubmission; challenge: AdminChallenge }

/** Adds a verse to the finalists under a stage name, or removes it, until voting begins. */
function FinalistControls({ verse, challenge }: FinalistControlsProps) {
  const save = useNameFinalists(challenge)
  const [fieldError, setFieldError] = useState<string>()
  const drafts = challenge.finalists.map(({ name, submissionId }) => ({ name, submissionId }))
  const [isConfirming, setConfirming] = useState(false)
  const removeFinalist = () => {
    setConfirming(false)
    save.mutate(
      drafts.filter(({ submissionId }) => submissionId !== verse.id),
      { onError: toastError('Not changed') },
    )
  }
  const finalist = drafts.find(({ submissionId }) => submissionId === verse.id)
  const isEditable = areFinalistsEditable(challenge)
  if (finalist)
    return (
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <p>
          A finalist, as <strong className="font-semibold wrap-anywhere">{finalist.name}</strong>.
        </p>
        {isEditable && (
          <Button
            aria-disabled={save.isPending}
            onClick={() => (arePicksPublic(challenge) ? setConfirming(true) : removeFinalist())}
          >
            Remove from finalists
          </Button>
        )}
        {isConfirming && (
          <RemoveFinalistDialog
            name={finalist.name}
            pending={save.isPending}
            onConfirm={removeFinalist}
            onClose={() => setConfirming(false)}
          />
        )}
      </div>
    )
  if (!isEditable) return null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const name = String(new FormData(event.currentTarget).get('stageName')).trim()
    if (name === '') return setFieldError('The stage name is required.')
    setFieldError(undefined)
    save.mutate([...drafts, { name, submissionId: verse.id }], {
      onSuccess: () => toast({ title: 'A finalist', text: `${name} is a finalist.` }),
      onError: (error) => setFieldError(errorMessage(error)),
    })
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="flex flex-wrap items-end gap-4">
      <TextField
        label="Stage name"
        name="stageName"
        maxLength={80}
        required
        defaultValue={verse.name}
        className="min-w-0 flex-1 basis-60"
        error={fieldError}
      />
      <Button type="submit" variant="primary" aria-disabled={save.isPending}>
        {save.isPending ? 'One moment' : 'Pick as finalist'}
      </Button>
      {arePicksPublic(challenge) && <p className="basis-full text-sm text-muted">{PICKS_ARE_PUBLIC}</p>}
    </form>
  )
}
