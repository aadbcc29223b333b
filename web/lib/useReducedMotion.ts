import { useSyncExternalStore } from 'react'

const REDUCED_MOTION_QUERY = '(prefers-reduced-motion: reduce)'

/** True when the reader asked for stillness; false on the server, where nothing moves. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(REDUCED_MOTION_QUERY)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(REDUCED_MOTION_QUERY).matches,
    () => false,
  )
}
