import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../lib/listeners'

let recordTitle: string | null = null
const { subscribe, notify } = createListeners()

function setRecordTitle(title: string | null): void {
  recordTitle = title
  notify()
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
