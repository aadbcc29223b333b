import type { Millis } from './clock'

/** Resolves like `promise`, or to null after `timeoutMs`. The work itself is not stopped. */
export async function withTimeout<T>(timeoutMs: Millis, promise: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
