import { useEffect, useState } from 'react'

/** Keeps the screen on while the page is seen. False where the browser cannot, or will not on a low battery. */
export function useWakeLock(): boolean {
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let isUnmounted = false
    // The browser lets go whenever the page is hidden: it is asked for again when it is seen.
    const acquire = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      lock = await navigator.wakeLock.request('screen').catch(() => null)
      if (isUnmounted) await lock?.release()
      else setIsHeld(lock !== null)
    }
    void acquire()
    document.addEventListener('visibilitychange', acquire)
    return () => {
      isUnmounted = true
      document.removeEventListener('visibilitychange', acquire)
      void lock?.release()
    }
  }, [])
  return isHeld
}
