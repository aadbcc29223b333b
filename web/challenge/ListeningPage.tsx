import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { AdminChallenge, VerseSubmission } from '../../worker/contract/admin-challenge'
import { useShortcutsSetting } from '../admin/list/list-shortcuts'
import { useScreenSearch } from '../admin/screen-location'
import { errorMessage } from '../api/call'
import { formatCount } from '../lib/format'
import { Button } from '../ui/Button'
import { EmptyNotice } from '../ui/EmptyNotice'
import { CheckField, TextAreaField } from '../ui/Field'
import { toastError } from '../ui/toast'
import { ChallengeVerses } from './ChallengeVerses'
import { useUpdateVerse } from './challenge-admin.queries'
import { LISTENING_SHORTCUTS, type ListeningAction, useListeningShortcuts } from './listening-shortcuts'
import { VerseCard } from './VerseCard'

/** /admin/challenge/$id/listen: a challenge's verses one at a time. Those the admin has not rated come first. */
export const ListeningPage = () => (
  <ChallengeVerses title="Listening">
    {(challenge, verses) =>
      verses.length > 0 ? (
        <ListeningQueue key={challenge.id} challenge={challenge} verses={verses} />
      ) : (
        <EmptyNotice>No verses yet. They appear here as soon as someone sends one.</EmptyNotice>
      )
    }
  </ChallengeVerses>
)

type QueueProps = { challenge: AdminChallenge; verses: readonly VerseSubmission[] }

function ListeningQueue({ challenge, verses }: QueueProps) {
  const [{ verse: chosenId }, setSearch] = useScreenSearch()
  // Verses stay in the order of the first load: a rated one must not move to another place.
  const [orderedIds, setOrderedIds] = useState(() => verses.map(({ id }) => id))
  const [isOnlyUnrated, setIsOnlyUnrated] = useState(false)
  const [areShortcutsEnabled, setShortcutsEnabled] = useShortcutsSetting()
  const container = useRef<HTMLDivElement>(null)
  const saveRef = useRef<SaveBeforeLeaving>(null)
  const shouldPlayNext = useRef(false)

  const verseById = new Map(verses.map((verse) => [verse.id, verse]))
  const newIds = verses.map(({ id }) => id).filter((id) => !orderedIds.includes(id))
  const orderedVerses = [...orderedIds, ...newIds].flatMap((id) => verseById.get(id) ?? [])
  const openId = chosenId ?? orderedVerses[0]?.id
  // The open verse stays in the queue while it is rated.
  const queue = isOnlyUnrated
    ? orderedVerses.filter(({ id, myRating }) => myRating === null || id === openId)
    : orderedVerses
  const index = Math.max(
    0,
    queue.findIndex(({ id }) => id === openId),
  )
  const current = queue[index]
  const ratedCount = verses.filter(({ myRating }) => myRating !== null).length

  // Plays a verse when it opens, if the one that was open until then was playing.
  useEffect(() => {
    if (!current || !shouldPlayNext.current) return
    shouldPlayNext.current = false
    container.current?.querySelector<HTMLElement>('.verse-play')?.click()
  }, [current])

  /** Opens a verse. Resolves to false if the current one stays open: there is no other, or its note was not saved. */
  const openVerse = async (verse: VerseSubmission | undefined): Promise<boolean> => {
    if (!verse || (saveRef.current && !(await saveRef.current()))) return false
    shouldPlayNext.current = container.current?.querySelector('audio')?.paused === false
    setSearch({ verse: verse.id })
    return true
  }
  const skip = async () => {
    const next = queue[index + 1]
    if (!current || !next) return
    if (!(await openVerse(next))) return
    const otherIds = orderedVerses.map(({ id }) => id).filter((id) => id !== current.id)
    setOrderedIds([...otherIds, current.id])
  }
  const press = (selector: string) => container.current?.querySelector<HTMLElement>(selector)?.click()
  const runAction = (action: ListeningAction) => {
    if (action === 'next') void openVerse(queue[index + 1])
    else if (action === 'previous') void openVerse(queue[index - 1])
    else if (action === 'skip') void skip()
    else if (action === 'play') press('.verse-play')
    else if (action === 'pick') press('[data-pick]')
    else press(`[data-rate="${action.rate}"]`)
  }
  useListeningShortcuts(areShortcutsEnabled, runAction)
  return (
    <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <div ref={container} className="grid gap-5">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p role="status" className="tabular-figures font-label">
            {queue.length === 0 ? 'All rated' : `Verse ${index + 1} of ${formatCount(queue.length)}`}
            <span className="ml-4 text-muted">
              {formatCount(ratedCount)} of {formatCount(verses.length)} rated by you
            </span>
          </p>
          <CheckField
            label="Only verses I haven’t rated"
            checked={isOnlyUnrated}
            onChange={(event) => setIsOnlyUnrated(event.target.checked)}
          />
        </div>
        <progress
          aria-label="Verses you have rated"
          className="h-1.5 w-full accent-gold"
          max={verses.length}
          value={ratedCount}
        />
        {current ? (
          <article
            key={current.id}
            aria-label={current.name}
            className="grid gap-8 border border-rule bg-sleeve p-5 md:p-8"
          >
            <p className="-mb-6 font-label text-gold">
              {[current.isFinalist ? 'Finalist' : 'Verse', !current.isConfirmed && 'email not confirmed']
                .filter(Boolean)
                .join(', ')}
            </p>
            <VerseCard verse={current} challenge={challenge} onPicked={() => runAction('next')}>
              <VerseNotes verse={current} saveRef={saveRef} />
            </VerseCard>
          </article>
        ) : (
          <EmptyNotice>
            You have rated every verse. Show them all again to change a rating, or compare the finalists.
          </EmptyNotice>
        )}
        <div className="flex flex-wrap gap-3">
          <Button aria-disabled={index === 0} onClick={() => runAction('previous')}>
            Previous verse
          </Button>
          <Button aria-disabled={index >= queue.length - 1} onClick={() => runAction('next')}>
            Next verse
          </Button>
          <Button variant="text" aria-disabled={index >= queue.length - 1} onClick={() => runAction('skip')}>
            Skip for now
          </Button>
        </div>
      </div>
      <section aria-label="Keys" className="border-t border-rule pt-4">
        <h2 className="font-display text-lg">Keys</h2>
        <dl className="mt-4 grid gap-2">
          {LISTENING_SHORTCUTS.map(({ keys, text }) => (
            <div key={keys} className="grid grid-cols-[5rem_1fr] items-baseline gap-4">
              <dt>
                <kbd className="rounded-xs border border-rule-strong px-2 py-0.5 text-sm">{keys}</kbd>
              </dt>
              <dd className="text-sm text-muted">{text}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-4">
          <CheckField
            label="Use these keys"
            checked={areShortcutsEnabled}
            onChange={(event) => setShortcutsEnabled(event.target.checked)}
          />
        </div>
      </section>
    </div>
  )
}

/** Saves the typed note. Returns false if that failed, so that the verse stays open. */
type SaveBeforeLeaving = () => Promise<boolean>

/** Shortlist and note of a verse. The note is saved on blur and before another verse opens. */
function VerseNotes({ verse, saveRef }: { verse: VerseSubmission; saveRef: RefObject<SaveBeforeLeaving | null> }) {
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
  const save: SaveBeforeLeaving = async () => {
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
  useImperativeHandle(saveRef, () => save)
  return (
    <>
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
    </>
  )
}
