import { useEffect, useState } from 'react'
import { formatDateTime, formatTime } from '../lib/format'
import { Button } from '../ui/Button'
import { useAdminUserId } from './admin-session'
import { formDraftKey, listFormDrafts, removeFormDraft } from './form-drafts'
import type { Autosave } from './useFormDraft'

type RestoredProps = { autosave: Autosave; onDiscard: () => void; className?: string }

/** Says that a form shows values of an earlier visit, and offers to discard them. */
export const RestoredDraftNotice = ({ autosave: { restored }, onDiscard, className = '' }: RestoredProps) =>
  restored && (
    <section
      aria-label="Draft restored"
      className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border border-gold px-4 py-2 ${className}`}
    >
      <p className="py-2">
        <strong>Draft restored.</strong>{' '}
        <span className="text-muted">
          You typed it on {formatDateTime(restored.savedAt)} and have not saved it yet.
        </span>
      </p>
      <Button variant="text" className="-mx-3" onClick={onDiscard}>
        Discard the draft
      </Button>
    </section>
  )

/** Says when the form's values were last saved on this device. Shown beside the form's button. */
export const AutosaveHint = ({ autosave: { savedAt } }: { autosave: Autosave }) =>
  savedAt !== null && <p className="text-sm text-muted">Draft saved on this device at {formatTime(savedAt)}.</p>

type UnsavedProps = {
  /** First part of the drafts' keys, as in `useAutosave`. */
  list: string
  /** Whether a form is open; the notices are then hidden. */
  isFormOpen?: boolean
  onContinue: (id: string) => void
}

/** Notices above a list, one for each of its records that has a draft on this device. */
export function UnsavedDraftNotices({ list, isFormOpen = false, onContinue }: UnsavedProps) {
  const userId = useAdminUserId()
  const [drafts, setDrafts] = useState<ReturnType<typeof listFormDrafts>>([])
  useEffect(() => {
    if (!isFormOpen) setDrafts(listFormDrafts(userId, list))
  }, [isFormOpen, userId, list])
  if (isFormOpen) return null
  const discard = (id: string) => {
    removeFormDraft(formDraftKey(userId, `${list}.${id}`))
    setDrafts(listFormDrafts(userId, list))
  }
  return drafts.map(({ id, draft: { name, savedAt } }) => (
    <section key={id} aria-label={`Unsaved changes: ${name}`} className="mb-6 border border-gold p-4">
      <p className="max-w-prose">
        You were editing <strong>{name}</strong> on {formatDateTime(savedAt)} and have not saved it. What you typed is
        still here.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="primary" onClick={() => onContinue(id)}>
          Continue editing
        </Button>
        <Button onClick={() => discard(id)}>Discard the changes</Button>
      </div>
    </section>
  ))
}
