import { startTransition, useEffect, useRef, useState, useSyncExternalStore } from 'react'

const noSubscription = () => () => {}

/**
 * False on the server and during hydration, when components must render the server's HTML. Becomes true in a
 * transition, so that the page's second render is interruptible; a store update would render it in one task.
 */
export function useHydrated(): boolean {
  const isHydrating = useRef(false)
  const [isHydrated, setIsHydrated] = useState(false)
  const isMountedLater = useSyncExternalStore(
    noSubscription,
    () => !isHydrating.current,
    // React calls this on the server and during hydration only.
    () => {
      isHydrating.current = true
      return false
    },
  )
  useEffect(() => {
    if (isHydrating.current) startTransition(() => setIsHydrated(true))
  }, [])
  return isMountedLater || isHydrated
}
