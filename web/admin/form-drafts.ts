import { deviceStorage } from '../lib/storage'

const STORAGE_PREFIX = 'admin.draft.'
/** Id of the admin that this browser is logged in as; shared by its tabs. */
const USER_KEY = 'admin.user'

const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

/** Key of an admin's draft, without STORAGE_PREFIX. `formId` is the list and the record's id: `tracks.new`. */
export const formDraftKey = (userId: number, formId: string): string => `${userId}.${formId}`

/** Unsaved values of a form. They survive a reload, a closed tab and an expired session. */
export type FormDraft<Values extends object = object> = {
  /** Names the record in the notice of unsaved changes. */
  name: string
  /** The values when the form was opened. */
  base: Values
  /** The typed values. */
  values: Values
  /** Epoch milliseconds. */
  savedAt: number
}

/** Stores a draft. Returns false if the browser denies it, or if the draft's admin is not the one logged in here. */
export function writeFormDraft(key: string, draft: FormDraft): boolean {
  const userId = Number(deviceStorage.read(USER_KEY) ?? 0)
  return key.startsWith(formDraftKey(userId, '')) && deviceStorage.write(STORAGE_PREFIX + key, JSON.stringify(draft))
}

/** The draft under a key; null without one. Removes a draft older than MAX_AGE_MS. */
export function readFormDraft<Values extends object = object>(key: string, now = Date.now()): FormDraft<Values> | null {
  const draft = deviceStorage.readJson(STORAGE_PREFIX + key) as FormDraft<Values> | null
  if (draft && now - draft.savedAt < MAX_AGE_MS) return draft
  removeFormDraft(key)
  return null
}

export const removeFormDraft = (key: string) => deviceStorage.write(STORAGE_PREFIX + key, null)

/** The drafts of an admin for records of `list`, each with the record's id. */
export function listFormDrafts(userId: number, list: string): readonly { id: string; draft: FormDraft }[] {
  const prefix = formDraftKey(userId, `${list}.`)
  return deviceStorage.keys(STORAGE_PREFIX + prefix).flatMap((storageKey) => {
    const key = storageKey.slice(STORAGE_PREFIX.length)
    const draft = readFormDraft(key)
    return draft ? [{ id: key.slice(prefix.length), draft }] : []
  })
}

/** Called on logout, so that the next user of this browser does not see the drafts. */
export function removeAllFormDrafts(): void {
  deviceStorage.write(USER_KEY, null)
  removeFormDrafts(() => true)
}

/**
 * Called with the user id of each admin session that the server returns. Removes drafts older than MAX_AGE_MS, and
 * those of other admins, whose sessions may have expired without a logout.
 */
export function setFormDraftUser(userId: number): void {
  deviceStorage.write(USER_KEY, String(userId))
  removeFormDrafts((key) => !key.startsWith(formDraftKey(userId, '')) || !readFormDraft(key))
}

function removeFormDrafts(shouldRemove: (key: string) => boolean): void {
  for (const storageKey of deviceStorage.keys(STORAGE_PREFIX))
    if (shouldRemove(storageKey.slice(STORAGE_PREFIX.length))) deviceStorage.write(storageKey, null)
}
