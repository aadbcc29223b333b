const PREFIX = 'admin.draft.'
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
export function removeAllFormDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
  } catch {}
}
