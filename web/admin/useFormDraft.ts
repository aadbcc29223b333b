import { useEffect, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useAdminUserId } from './admin-session'
import { type FormDraft, formDraftKey, readFormDraft, removeFormDraft, writeFormDraft } from './form-drafts'

const DEBOUNCE_MS = 300

type Snapshot = Pick<FormDraft, 'base' | 'values'>

export type Autosave<Values extends object = object> = {
  /** The draft of an earlier visit; null without one, and once it was saved or discarded. */
  restored: FormDraft<Values> | null
  /** When the draft was last saved on this device, in epoch milliseconds; null without one. */
  savedAt: number | null
  /**
   * Saves what `read` returns, debounced; null removes the draft. `targetFormId` names another form, that of a record
   * which was just added.
   */
  save: (read: () => Snapshot | null, targetFormId?: string) => void
  /** Removes the draft, once its values were saved or discarded. */
  clear: () => void
}

/**
 * Saves a form's values on this device while they are typed. `formId` is the list and the record's id, such as
 * `tracks.new`; `name` names the record in the notice of unsaved changes.
 */
export function useAutosave<Values extends object = object>(formId: string, name: string): Autosave<Values> {
  const userId = useAdminUserId()
  const key = formDraftKey(userId, formId)
  const [restored, setRestored] = useState(() => readFormDraft<Values>(key))
  const [savedAt, setSavedAt] = useState(restored?.savedAt ?? null)
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; write: () => void }>(null)

  function cancel(): void {
    clearTimeout(pending.current?.timer)
    pending.current = null
  }
  function clear(): void {
    cancel()
    removeFormDraft(key)
    setRestored(null)
    setSavedAt(null)
  }
  function save(read: () => Snapshot | null, targetFormId = formId): void {
    const write = () => {
      cancel()
      const snapshot = read()
      if (!snapshot) return clear()
      const at = Date.now()
      if (writeFormDraft(formDraftKey(userId, targetFormId), { name, ...snapshot, savedAt: at })) setSavedAt(at)
    }
    cancel()
    pending.current = { timer: setTimeout(write, DEBOUNCE_MS), write }
  }
  // Writes a pending draft before the page or the form closes.
  useEffect(() => {
    const flush = () => pending.current?.write()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [])
  return { restored, savedAt, save, clear }
}

/**
 * Fills a form with the restored draft and saves what is typed. Returns a key that changes when fields that hold their
 * own text, such as amounts, must be remounted.
 */
export function useFormDraft<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  autosave: Autosave | undefined,
): number {
  const { watch, getValues, reset, formState } = form
  const [restored] = useState(autosave?.restored)
  const [remountKey, setRemountKey] = useState(0)
  const latest = useRef({ autosave, isDirty: false, base: {} as object })
  latest.current = { autosave, isDirty: formState.isDirty, base: formState.defaultValues as object }
  useEffect(() => {
    if (!restored) return
    reset(restored.values as In, { keepDefaultValues: true })
    setRemountKey(1)
  }, [restored, reset])
  useEffect(() => {
    const { unsubscribe } = watch((_, { name }) => {
      // Without a name, the event is a reset of the form.
      if (name === undefined) return
      latest.current.autosave?.save(() => {
        const { isDirty, base } = latest.current
        return isDirty ? { base, values: getValues() } : null
      })
    })
    return unsubscribe
  }, [watch, getValues])
  return remountKey
}
