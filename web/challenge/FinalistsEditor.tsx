import { useState } from 'react'
import { type AdminChallenge, adminChallengeApi, FinalistDraft } from '../../worker/contract/admin-challenge'
import { OPEN_PARAM } from '../../worker/contract/admin-screens'
import { MoveButtons } from '../admin/drag-order'
import { RecordDialog } from '../admin/RecordDialog'
import type { FieldDefinition } from '../admin/RecordField'
import { RowActions } from '../admin/RowActions'
import { useScreenSearch } from '../admin/screen-location'
import { ApiError, fillPath } from '../api/call'
import { moveItem } from '../lib/move-item'
import { Button } from '../ui/Button'
import { EmptyNotice } from '../ui/EmptyNotice'
import { toastError } from '../ui/toast'
import { useSetFinalists } from './challenge-admin.queries'
import { areFinalistsEditable, arePicksPublic, PUBLIC_PICKS_WARNING } from './challenge-admin-text'
import { EntrantContact } from './EntrantContact'
import { RemoveFinalistDialog } from './RemoveFinalistDialog'
import { VersePlayer } from './VersePlayer'

const finalistFields: readonly FieldDefinition<FinalistDraft>[] = [
  { name: 'name', label: 'Stage name', wide: true, hint: 'As it appears on the page and in the tally.' },
]

/** The finalists in order; editable until voting opens. */
export function FinalistsEditor({ challenge }: { challenge: AdminChallenge }) {
  const [search, setSearch] = useScreenSearch()
  const openKey = search[OPEN_PARAM]
  const open = (key: string) => setSearch({ [OPEN_PARAM]: key }, { push: true })
  const save = useSetFinalists(challenge)
  const drafts = challenge.finalists.map(({ name, submissionId }) => ({ name, submissionId }))
  const [finalistToRemove, setFinalistToRemove] = useState<FinalistDraft | null>(null)
  const isEditable = areFinalistsEditable(challenge)
  const saveFinalists = (finalists: FinalistDraft[]) =>
    !save.isPending && save.mutate(finalists, { onError: toastError('Not changed') })
  const removeFinalist = (removed: FinalistDraft) => {
    saveFinalists(drafts.filter((draft) => keyOf(draft) !== keyOf(removed)))
    setFinalistToRemove(null)
  }
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-prose text-sm text-muted">{editorNote(challenge, isEditable)}</p>
        {isEditable && <Button onClick={() => open(NEW_KEY)}>Add a finalist without a verse</Button>}
      </div>
      {drafts.length === 0 ? (
        <EmptyNotice>No finalists yet.</EmptyNotice>
      ) : (
        <ol className="finalists">
          {drafts.map((finalist, index) => (
            <li key={keyOf(finalist)} className="finalist">
              <span className="tabular-figures finalist-place font-display">{String(index + 1).padStart(2, '0')}</span>
              <h3 className="font-display text-xl wrap-anywhere">{finalist.name}</h3>
              {isEditable && (
                <div className="flex flex-wrap justify-end max-sm:col-span-full max-sm:justify-start">
                  <MoveButtons
                    name={finalist.name}
                    index={index}
                    count={drafts.length}
                    move={(from, to) => saveFinalists(moveItem(drafts, from, to))}
                  />
                  <RowActions
                    name={finalist.name}
                    onEdit={() => open(keyOf(finalist))}
                    onDelete={() =>
                      arePicksPublic(challenge) ? setFinalistToRemove(finalist) : removeFinalist(finalist)
                    }
                  />
                </div>
              )}
              {finalist.submissionId ? (
                <>
                  <VersePlayer
                    src={fillPath(adminChallengeApi.verseAudio.path, { id: finalist.submissionId })}
                    name={finalist.name}
                  />
                  <div className="verse-contact">
                    <EntrantContact submissionId={finalist.submissionId} label={finalist.name} />
                  </div>
                </>
              ) : (
                <p className="verse-player text-sm text-muted">No verse was entered here.</p>
              )}
            </li>
          ))}
        </ol>
      )}
      {finalistToRemove && (
        <RemoveFinalistDialog
          name={finalistToRemove.name}
          hasVerse={finalistToRemove.submissionId !== null}
          pending={save.isPending}
          onConfirm={() => removeFinalist(finalistToRemove)}
          onClose={() => setFinalistToRemove(null)}
        />
      )}
      {openKey && isEditable && (
        <FinalistDialog
          key={openKey}
          openKey={openKey}
          challengeId={challenge.id}
          drafts={drafts}
          save={(finalists) => save.mutateAsync(finalists)}
          onClose={() => setSearch({ [OPEN_PARAM]: '' })}
        />
      )}
    </>
  )
}

type DialogProps = {
  /** A finalist's key, or NEW_KEY. */
  openKey: string
  challengeId: string
  drafts: readonly FinalistDraft[]
  save: (finalists: FinalistDraft[]) => Promise<unknown>
  onClose: () => void
}

function FinalistDialog({ openKey, challengeId, drafts, save, onClose }: DialogProps) {
  const isNew = openKey === NEW_KEY
  // A refetch does not close the dialog if the finalist was renamed or removed.
  const [opened] = useState(() => drafts.find((draft) => keyOf(draft) === openKey))
  if (!isNew && !opened) return null
  async function saveDraft(draft: FinalistDraft): Promise<void> {
    if (!isNew && !drafts.some((existing) => keyOf(existing) === openKey))
      throw new ApiError(
        409,
        'conflict',
        'This finalist was renamed or removed in the meantime. Close this and check the list.',
      )
    await save(isNew ? [...drafts, draft] : drafts.map((existing) => (keyOf(existing) === openKey ? draft : existing)))
  }
  return (
    <RecordDialog
      title={isNew ? 'A finalist without a verse' : 'The stage name'}
      formId={`finalists.${challengeId}.${openKey}`}
      schema={FinalistDraft}
      fields={finalistFields}
      values={opened ?? { name: '', submissionId: null }}
      save={saveDraft}
      onClose={onClose}
    />
  )
}

const NEW_KEY = 'new'

/** Identifies a finalist by the verse or, if there is none, by the name, which is unique. */
const keyOf = ({ submissionId, name }: FinalistDraft) => submissionId ?? `name:${name}`

function editorNote(challenge: AdminChallenge, isEditable: boolean): string {
  if (!isEditable) return 'Voting has begun, so names and order can’t change.'
  return arePicksPublic(challenge)
    ? PUBLIC_PICKS_WARNING
    : 'Choose them from the verse submissions. They appear in this order from the day they are announced.'
}
