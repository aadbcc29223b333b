import { useSyncExternalStore } from 'react'

const noSubscription = () => () => {}

/** False on the server and during hydration, when components must render the server's HTML. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  )
}
