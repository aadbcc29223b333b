import { deviceStorage } from '../lib/storage'

const PREFIX = 'admin.draft.'

/** Storage key of an admin's draft for a kind of record. */
export const formDraftKey = (userId: number, noun: string): string => `${userId}.${noun}`
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

/** Unsaved values of a form, for example after the session has expired. */
export type FormDraft = {
  /** Null for a new record. */
  id: string | null
  name: string
  /** The values when the form was opened, and the typed ones. */
  base: object
  values: object
  savedAt: number
}

export const writeFormDraft = (key: string, draft: FormDraft) =>
  deviceStorage.write(PREFIX + key, JSON.stringify(draft))

export function readFormDraft(key: string, now = Date.now()): FormDraft | null {
  const draft = deviceStorage.readJson(PREFIX + key) as FormDraft | null
  return draft && now - draft.savedAt < MAX_AGE_MS ? draft : null
}

export const removeFormDraft = (key: string) => deviceStorage.write(PREFIX + key, null)

/** Called on logout, so that the next user of this browser does not see the drafts. */
export const removeAllFormDrafts = (): void => removeFormDrafts(() => true)

/** Called on login: the previous user's session may have expired without a logout. */
export const removeOtherFormDrafts = (userId: number): void =>
  removeFormDrafts((key) => !key.startsWith(formDraftKey(userId, '')))

function removeFormDrafts(isRemoved: (key: string) => boolean): void {
  for (const name of deviceStorage.keys(PREFIX))
    if (isRemoved(name.slice(PREFIX.length))) deviceStorage.write(name, null)
}
