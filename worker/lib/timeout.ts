import type { Millis } from './clock'

/** What `answer` comes to, or null when that takes longer; nothing stops it then. */
export async function withTimeout<T>(timeoutMs: Millis, promise: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
