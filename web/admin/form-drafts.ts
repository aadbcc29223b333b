import { deviceStorage } from '../lib/storage'

const PREFIX = 'admin.draft.'

/** Storage key of an admin's draft. `form` is the list and the record's id, for example `tracks.new`. */
export const formDraftKey = (userId: number, form: string): string => `${userId}.${form}`
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

/** Unsaved values of a form. They survive a reload, a closed tab and an expired session. */
export type FormDraft<Values extends object = object> = {
  /** Names the record in the notice of unsaved changes. */
  name: string
  /** The values when the form was opened, and the typed ones. */
  base: Values
  values: Values
  savedAt: number
}

export const writeFormDraft = (key: string, draft: FormDraft): boolean =>
  deviceStorage.write(PREFIX + key, JSON.stringify(draft))

export function readFormDraft<Values extends object = object>(key: string, now = Date.now()): FormDraft<Values> | null {
  const draft = deviceStorage.readJson(PREFIX + key) as FormDraft<Values> | null
  return draft && now - draft.savedAt < MAX_AGE_MS ? draft : null
}

export const removeFormDraft = (key: string) => deviceStorage.write(PREFIX + key, null)

/** The drafts of an admin for records of `list`, by the record's id. */
export function listFormDrafts(userId: number, list: string): readonly { id: string; draft: FormDraft }[] {
  const prefix = formDraftKey(userId, `${list}.`)
  return deviceStorage.keys(PREFIX + prefix).flatMap((name) => {
    const key = name.slice(PREFIX.length)
    const draft = readFormDraft(key)
    return draft ? [{ id: key.slice(prefix.length), draft }] : []
  })
}

/** Called on logout, so that the next user of this browser does not see the drafts. */
export const removeAllFormDrafts = (): void => removeFormDrafts(() => true)

/** Called on login: the previous user's session may have expired without a logout. Removes outdated drafts too. */
export const removeOtherFormDrafts = (userId: number): void =>
  removeFormDrafts((key) => !key.startsWith(formDraftKey(userId, '')) || !readFormDraft(key))

function removeFormDrafts(isRemoved: (key: string) => boolean): void {
  for (const name of deviceStorage.keys(PREFIX))
    if (isRemoved(name.slice(PREFIX.length))) deviceStorage.write(name, null)
}
