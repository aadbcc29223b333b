import { useSyncExternalStore } from 'react'

const noSubscription = () => () => {}

/** False during hydration, when a component must render what the server rendered, whatever was fetched since. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  )
}
