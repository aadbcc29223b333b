import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../lib/listeners'

let recordTitle: string | null = null
const { subscribe, notify } = createListeners()

function setRecordTitle(title: string | null): void {
  recordTitle = title
  notify()
}

/** Sets the document title to that of a record, as the server does. `title` is undefined while the record loads. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return
    setRecordTitle(title)
    return () => setRecordTitle(null)
  }, [title])
}

/** The title set with `usePageTitle`; null without one. */
export const useRecordTitle = () => useSyncExternalStore(subscribe, () => recordTitle)
