import { useSyncExternalStore } from 'react'
import { createListeners } from '../lib/listeners'

/** One toast at a time; a dismissed one is removed after the delay. */
export const TOAST_LIMIT = 1
export const TOAST_REMOVE_DELAY_MS = 1_000_000

export type ToastMessage = {
  id: string
  title: string
  text?: string
  tone?: 'plain' | 'destructive'
  /** For example undo. Pressing it closes the toast. */
  action?: { label: string; onPress: () => void }
  open: boolean
}
type Content = Omit<ToastMessage, 'id' | 'open'>

/** Shared by the viewport and PlainToast, which is shown when the viewport's code cannot be loaded. */
export const TOAST_POSITION_CLASS =
  'toast-viewport fixed right-[max(1rem,env(safe-area-inset-right))] bottom-[calc(var(--bottom-bar)+var(--player-bar)+var(--app-status,0rem)+env(safe-area-inset-bottom)+1rem)] z-50 w-[min(24rem,calc(100vw-2rem))] outline-none md:bottom-[calc(var(--player-bar)+var(--app-status,0rem)+1.5rem)]'
export const toastClass = (tone: ToastMessage['tone']) =>
  `grid grid-cols-[1fr_auto] items-start gap-x-4 rounded-xs border bg-sleeve-high p-4 pl-5 shadow-[0_12px_40px_oklch(0_0_0/0.6)] ${tone === 'destructive' ? 'border-sunset' : 'border-gold'}`
export const toastTitleClass = (tone: ToastMessage['tone']) =>
  `font-semibold ${tone === 'destructive' ? 'text-sunset' : 'text-gold-bright'}`

type ToastEvent =
  | { kind: 'add'; toast: ToastMessage }
  | { kind: 'update'; toast: Partial<ToastMessage> & { id: string } }
  | { kind: 'dismiss'; id: string }
  | { kind: 'remove'; id: string }

/** Newest first, at most TOAST_LIMIT. */
export function reduceToasts(toasts: readonly ToastMessage[], event: ToastEvent): readonly ToastMessage[] {
  switch (event.kind) {
    case 'add':
      return [event.toast, ...toasts].slice(0, TOAST_LIMIT)
    case 'update':
      return toasts.map((toast) => (toast.id === event.toast.id ? { ...toast, ...event.toast } : toast))
    case 'dismiss':
      return toasts.map((toast) => (toast.id === event.id ? { ...toast, open: false } : toast))
    case 'remove':
      return toasts.filter((toast) => toast.id !== event.id)
  }
}

let toasts: readonly ToastMessage[] = []
let lastId = 0
const { subscribe, notify } = createListeners()
const removalTimers = new Map<string, ReturnType<typeof setTimeout>>()

function dispatch(event: ToastEvent): void {
  toasts = reduceToasts(toasts, event)
  notify()
}

/** Shows a toast, replacing the current one. Returns its id and functions that change or close it. */
export function toast(content: Content) {
  lastId += 1
  const id = String(lastId)
  dispatch({ kind: 'add', toast: { ...content, id, open: true } })
  return {
    id,
    update: (next: Partial<Content>) => dispatch({ kind: 'update', toast: { ...next, id } }),
    dismiss: () => dismiss(id),
  }
}

/** An error handler for queries and mutations: shows the error's message under this title. */
export const toastError = (title: string) => (error: { message: string }) => {
  toast({ title, text: error.message, tone: 'destructive' })
}

/** Closes a toast; it is removed once TOAST_REMOVE_DELAY_MS has passed. */
export function dismiss(id: string): void {
  dispatch({ kind: 'dismiss', id })
  if (removalTimers.has(id)) return
  removalTimers.set(
    id,
    setTimeout(() => {
      removalTimers.delete(id)
      dispatch({ kind: 'remove', id })
    }, TOAST_REMOVE_DELAY_MS),
  )
}

const NO_TOASTS: readonly ToastMessage[] = []

/** Current toasts; empty on the server. */
export function useToasts(): readonly ToastMessage[] {
  return useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NO_TOASTS,
  )
}
