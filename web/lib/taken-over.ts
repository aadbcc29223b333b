import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False while React takes over what the worker drew, piece by piece: until then a component must say what the worker
 * said, whatever has been fetched in the meantime.
 */
export function useTakenOver(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
