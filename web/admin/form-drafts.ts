const PREFIX = 'admin.draft.'

/** Key of someone's draft of a kind of record. */
export const formDraftKey = (userId: number, noun: string): string => `${userId}.${noun}`
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000

/** What someone typed into a form and has not saved, such as when the session expired. */
export type FormDraft = {
  /** Null for a new record. */
  id: string | null
  name: string
  /** As the form was opened, and as it was left. */
  base: object
  values: object
  savedAt: number
}

// Browsers can deny storage; drafts then last as long as the form.
export function writeFormDraft(key: string, draft: FormDraft): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(draft))
  } catch {}
}

export function readFormDraft(key: string, now = Date.now()): FormDraft | null {
  try {
    const draft: FormDraft | null = JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null')
    return draft && now - draft.savedAt < MAX_AGE_MS ? draft : null
  } catch {
    return null
  }
}

export function removeFormDraft(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key)
  } catch {}
}

/** On a log-out: the next person at this computer does not see them. */
export const removeAllFormDrafts = (): void => removeFormDrafts(() => true)

/** On a log-in: the session of the person before may have expired without a log-out. */
export const removeOtherFormDrafts = (userId: number): void =>
  removeFormDrafts((key) => !key.startsWith(formDraftKey(userId, '')))

function removeFormDrafts(isRemoved: (key: string) => boolean): void {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(PREFIX) && isRemoved(name.slice(PREFIX.length))) localStorage.removeItem(name)
  } catch {}
}
