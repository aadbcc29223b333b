import { useMediaQuery } from './useMediaQuery'

/** False on the server. */
export const useReducedMotion = (): boolean => useMediaQuery('(prefers-reduced-motion: reduce)')
