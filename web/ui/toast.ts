import { useSyncExternalStore } from 'react'

/** One toast at a time; a dismissed one is removed after the delay. */
export const TOAST_LIMIT = 1
export const TOAST_REMOVE_DELAY = 1_000_000

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

export type ToastEvent =
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
let count = 0
const listeners = new Set<() => void>()
const removals = new Map<string, ReturnType<typeof setTimeout>>()

function dispatch(event: ToastEvent): void {
  toasts = reduceToasts(toasts, event)
  for (const listener of listeners) listener()
}

/** Shows a toast, replacing the current one. */
export function toast(content: Content) {
  count += 1
  const id = String(count)
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

/** Closes a toast; it is removed once TOAST_REMOVE_DELAY has passed. */
export function dismiss(id: string): void {
  dispatch({ kind: 'dismiss', id })
  if (removals.has(id)) return
  removals.set(
    id,
    setTimeout(() => {
      removals.delete(id)
      dispatch({ kind: 'remove', id })
    }, TOAST_REMOVE_DELAY),
  )
}

const NO_TOASTS: readonly ToastMessage[] = []

/** Current toasts; empty on the server. */
export function useToasts(): readonly ToastMessage[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
    () => NO_TOASTS,
  )
}
