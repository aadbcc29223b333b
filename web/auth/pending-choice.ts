import { useSyncExternalStore } from 'react'
import { createListeners } from '../lib/listeners'
import { tabStorage } from '../lib/storage'
import { toast } from '../ui/toast'

/** A visitor's action that needs an account. `title` names its subject in the sign-up sheet. */
export type PendingChoice =
  | { kind: 'vote'; pollId: string; optionId: string; title: string }
  | { kind: 'ballot'; challengeId: string; finalistId: string; title: string }
  | { kind: 'like'; trackId: number; title: string }
  | { kind: 'postLike'; postId: string; title: string }
  /** An action that is not completed after the login; `toast` is the text of its toast. */
  | { kind: 'other'; toast: string }

/** `isOpen`: whether the sign-up sheet is open; false after a reload and on the login page. */
type StoredChoice = { choice: PendingChoice; savedAt: number; isOpen: boolean }

const STORAGE_KEY = 'pending-choice'
export const PENDING_CHOICE_TTL_MS = 30 * 60_000

let storedChoice: StoredChoice | null | undefined
const { subscribe, notify } = createListeners()

function updateChoice(next: StoredChoice | null): void {
  storedChoice = next
  notify()
}

const isExpired = ({ savedAt }: StoredChoice) => Date.now() - savedAt >= PENDING_CHOICE_TTL_MS

/** Reads the choice from session storage, which survives the redirects to Google and back. */
function restoreChoice(): StoredChoice | null {
  const saved = tabStorage.readJson(STORAGE_KEY) as StoredChoice | null
  return saved && !isExpired(saved) ? { ...saved, isOpen: false } : null
}

/** An expired choice is dropped, unless its sheet is open: the visitor may be filling in the form. */
const getStoredChoice = () => {
  if (storedChoice === undefined) storedChoice = restoreChoice()
  if (storedChoice && !storedChoice.isOpen && isExpired(storedChoice)) storedChoice = null
  return storedChoice
}

export function usePendingChoice(): StoredChoice | null {
  return useSyncExternalStore(subscribe, getStoredChoice, () => null)
}

const TOAST_TEXT = {
  vote: 'Please sign up or login to vote',
  ballot: 'Please sign up or login to vote',
  like: 'Please sign up or login to like a track',
  postLike: 'Please sign up or login to join in',
} as const

/** Opens the sign-up sheet with a toast; after sign-up or login the choice is completed. */
export function requestSignUp(choice: PendingChoice): void {
  const next = { choice, savedAt: Date.now(), isOpen: true }
  tabStorage.write(STORAGE_KEY, JSON.stringify(next))
  updateChoice(next)
  const text = choice.kind === 'other' ? choice.toast : TOAST_TEXT[choice.kind]
  toast({ title: 'Login required', text, tone: 'destructive' })
}

/** Closes the sheet without dropping the choice. */
export const hideSignUpSheet = (): void => updateChoice(storedChoice ? { ...storedChoice, isOpen: false } : null)

/**
 * Returns the choice, or null if it has expired, and removes it from storage, so that a reload does not complete it
 * again. In memory it stays for the open sheet, until `dropPendingChoice`.
 */
export function takePendingChoice(): PendingChoice | null {
  const saved = getStoredChoice()
  tabStorage.write(STORAGE_KEY, null)
  return saved && !isExpired(saved) ? saved.choice : null
}

/** Forgets the choice and closes the sheet. */
export function dropPendingChoice(): void {
  takePendingChoice()
  updateChoice(null)
}
