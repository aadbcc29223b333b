import { useState } from 'react'
import type { DeskChallenge } from '../../worker/contract/challenge-desk'
import type { VerseSubmission } from '../../worker/contract/submissions'
import { sentence } from '../auth/sentence'
import { AreaField } from '../ui/AreaField'
import { Button } from '../ui/Button'
import { CheckField } from '../ui/CheckField'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { useMarkVerse } from './desk.queries'
import { PickFinalist } from './PickFinalist'
import { VersePlayer } from './VersePlayer'

type Props = {
  /** As the list shows it: masked, or revealed. */
  verse: VerseSubmission
  challenge: DeskChallenge | undefined
  onClose: () => void
  /** To the next one of the list; undefined at its end. */
  onNext?: () => void
}

/** A verse to listen to, the desk's mark and words on it, and the way among the finalists. */
export function VerseDialog({ verse, challenge, onClose, onNext }: Props) {
  const mark = useMarkVerse(verse.id)
  const listing = useMarkVerse(verse.id)
  // Ticked at once, as a box is, whatever else is being saved; a refusal takes the tick back.
  const [isListed, setListed] = useState(verse.shortlisted)
  const [note, setNote] = useState(verse.note)
  const [problem, setProblem] = useState<string>()
  const isChanged = note.trim() !== verse.note
  const list = (wanted: boolean) => {
    setListed(wanted)
    listing.mutate(
      { shortlisted: wanted },
      {
        onError: ({ message }) => {
          setListed(!wanted)
          toast({ title: 'Not saved', text: message, tone: 'destructive' })
        },
      },
    )
  }
  const saveNote = async () => {
    if (!isChanged) return true
    setProblem(undefined)
    return mark.mutateAsync({ note }).then(
      () => true,
      (error: Error) => {
        setProblem(sentence(error))
        return false
      },
    )
  }
  // Words that were typed go along: the way on is the way to save them.
  const leave = (go: () => void) => void saveNote().then((isSaved) => isSaved && go())
  return (
    <Dialog title={verse.name} onClose={() => leave(onClose)}>
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
        <CheckField label="On the shortlist" checked={isListed} onChange={(event) => list(event.target.checked)} />
        <AreaField
          label="Note"
          hint="For the desk alone."
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          onBlur={() => void saveNote()}
          error={problem}
        />
        {challenge && <PickFinalist verse={verse} challenge={challenge} />}
        <div className="flex flex-wrap gap-3 border-t border-rule pt-6">
          {onNext && <Button onClick={() => leave(onNext)}>Next verse</Button>}
          <Button look="quiet" onClick={() => leave(onClose)}>
            Back to the list
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
