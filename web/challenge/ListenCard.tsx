import { type RefObject, useImperativeHandle, useState } from 'react'
import { type AdminChallenge, adminChallengeApi, type VerseSubmission } from '../../worker/contract/admin-challenge'
import { errorMessage, fillPath } from '../api/call'
import { formatDateTime } from '../lib/format'
import { CheckField, TextAreaField } from '../ui/Field'
import { toastError } from '../ui/toast'
import { useUpdateVerse } from './challenge-admin.queries'
import { FinalistControls } from './FinalistControls'
import { SubmissionSender } from './SubmissionSender'
import { VersePlayer } from './VersePlayer'
import { AverageRating, VerseRating } from './VerseRating'

/** Saves what is typed; false when that failed and the verse must stay open. */
export type LeaveVerse = () => Promise<boolean>

type Props = {
  verse: VerseSubmission
  challenge: AdminChallenge
  leave: RefObject<LeaveVerse | null>
  onPicked: () => void
}

/** A verse to listen to: player, ratings, shortlist, note and finalist controls. */
export function ListenCard({ verse, challenge, leave, onPicked }: Props) {
  const saveNote = useUpdateVerse(verse.id)
  const shortlist = useUpdateVerse(verse.id)
  // Set optimistically, and reverted on error.
  const [isShortlisted, setIsShortlisted] = useState(verse.shortlisted)
  const [note, setNote] = useState(verse.note)
  const [savedNote, setSavedNote] = useState(verse.note)
  const [fieldError, setFieldError] = useState<string>()
  const setShortlisted = (shortlisted: boolean) => {
    setIsShortlisted(shortlisted)
    shortlist.mutate(
      { shortlisted },
      {
        onError: (error) => {
          setIsShortlisted(!shortlisted)
          toastError('Not saved')(error)
        },
      },
    )
  }
  const save: LeaveVerse = async () => {
    if (note.trim() === savedNote) return true
    setFieldError(undefined)
    try {
      await saveNote.mutateAsync({ note })
      setSavedNote(note.trim())
      return true
    } catch (error) {
      setFieldError(errorMessage(error as Error))
      return false
    }
  }
  useImperativeHandle(leave, () => save)
  return (
    <article aria-label={verse.name} className="grid gap-8 border border-rule bg-sleeve p-5 md:p-8">
      <header>
        <p className="font-label text-gold">
          {[verse.isFinalist ? 'Finalist' : 'Verse', !verse.isConfirmed && 'email not confirmed']
            .filter(Boolean)
            .join(', ')}
        </p>
        <h2 className="mt-2 font-display text-2xl wrap-anywhere">{verse.name}</h2>
        <p className="mt-2 text-sm text-muted wrap-anywhere">
          {verse.email} · <span className="tabular-figures">{verse.phoneNumber}</span> · sent{' '}
          <span className="tabular-figures">{formatDateTime(verse.submittedAt)}</span>
        </p>
        <SubmissionSender submissionId={verse.id} name={verse.name} />
      </header>
      {verse.hasRecording ? (
        <VersePlayer src={fillPath(adminChallengeApi.verseAudio.path, { id: verse.id })} name={verse.name} />
      ) : (
        <p className="text-muted">This verse has no recording.</p>
      )}
      <div className="grid gap-8 md:grid-cols-2">
        <VerseRating verse={verse} />
        <AverageRating verse={verse} />
      </div>
      <FinalistControls verse={verse} challenge={challenge} onPicked={onPicked} />
      <CheckField
        label="On the shortlist"
        checked={isShortlisted}
        onChange={(event) => setShortlisted(event.target.checked)}
      />
      <TextAreaField
        label="Note"
        hint="Only the team sees notes, ratings and the shortlist."
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onBlur={() => void save()}
        error={fieldError}
      />
    </article>
  )
}
