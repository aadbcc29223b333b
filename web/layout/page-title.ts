import { useEffect, useSyncExternalStore } from 'react'

let recordTitle: string | null = null
const listeners = new Set<() => void>()

function setRecordTitle(title: string | null): void {
  recordTitle = title
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sets the page's title to that of its record, as the server does; undefined while the record loads. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return
    setRecordTitle(title)
    return () => setRecordTitle(null)
  }, [title])
}

/** The title set with `usePageTitle`; null without one. */
export const useRecordTitle = () => useSyncExternalStore(subscribe, () => recordTitle)
