import { useSyncExternalStore } from 'react'

const noSubscription = () => () => {}

/**
 * False while React takes over what the worker drew, piece by piece: until then a component must say what the worker
 * said, whatever has been fetched in the meantime.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  )
}
