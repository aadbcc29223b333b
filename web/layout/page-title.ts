import { useEffect, useSyncExternalStore } from 'react'

let ownTitle: string | null = null
const listeners = new Set<() => void>()

function setOwnTitle(title: string | null): void {
  ownTitle = title
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Titles the page after its record, as the server's head does; undefined while the record loads. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return
    setOwnTitle(title)
    return () => setOwnTitle(null)
  }, [title])
}

/** The title set with `usePageTitle`; null without one. */
export const useOwnTitle = () => useSyncExternalStore(subscribe, () => ownTitle)
