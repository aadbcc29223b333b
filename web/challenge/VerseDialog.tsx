import { useState } from 'react'
import type { AdminChallenge, VerseSubmission } from '../../worker/contract/admin-challenge'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { CheckField, TextAreaField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useUpdateVerse } from './challenge-admin.queries'
import { FinalistControls } from './FinalistControls'
import { VersePlayer } from './VersePlayer'

type Props = {
  /** As the list shows it: masked, or revealed. */
  verse: VerseSubmission
  challenge: AdminChallenge | undefined
  onClose: () => void
  /** To the next one of the list; undefined at its end. */
  onNext?: () => void
}

/** A verse to listen to, the desk's mark and words on it, and the way among the finalists. */
export function VerseDialog({ verse, challenge, onClose, onNext }: Props) {
  const saveNoteMutation = useUpdateVerse(verse.id)
  const shortlistMutation = useUpdateVerse(verse.id)
  // Ticked at once, as a box is, whatever else is being saved; a refusal takes the tick back.
  const [isShortlisted, setIsShortlisted] = useState(verse.shortlisted)
  const [note, setNote] = useState(verse.note)
  const [problem, setProblem] = useState<string>()
  const isChanged = note.trim() !== verse.note
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
    if (!isChanged) return true
    setProblem(undefined)
    return saveNoteMutation.mutateAsync({ note }).then(
      () => true,
      (error: Error) => {
        setProblem(errorMessage(error))
        return false
      },
    )
  }
  // Words that were typed go along: the way on is the way to save them.
  const saveThen = (next: () => void) => void saveNote().then((isSaved) => isSaved && next())
  return (
    <Dialog title={verse.name} onClose={() => saveThen(onClose)}>
      <div className="grid gap-8 p-6 md:p-9">
        <header className="mr-10">
          <p className="font-label text-gold">{verse.isFinalist ? 'Finalist' : 'Verse'}</p>
          <h2 className="mt-2 font-display text-xl wrap-anywhere">{verse.name}</h2>
          <p className="mt-2 text-sm text-muted wrap-anywhere">
            {verse.email} · <span className="figures">{verse.phoneNumber}</span>
          </p>
        </header>
        {verse.hasRecording ? (
          <VersePlayer src={`/api/verse-submissions/${verse.id}/audio`} name={verse.name} />
        ) : (
          <p className="text-muted">There is no recording with this verse.</p>
        )}
        <CheckField
          label="On the shortlist"
          checked={isShortlisted}
          onChange={(event) => setShortlisted(event.target.checked)}
        />
        <TextAreaField
          label="Note"
          hint="For the desk alone."
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          onBlur={() => void saveNote()}
          error={problem}
        />
        {challenge && <FinalistControls verse={verse} challenge={challenge} />}
        <div className="flex flex-wrap gap-3 border-t border-rule pt-6">
          {onNext && <Button onClick={() => saveThen(onNext)}>Next verse</Button>}
          <Button variant="quiet" onClick={() => saveThen(onClose)}>
            Back to the list
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
