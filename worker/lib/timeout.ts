import type { Millis } from './clock'

/** Resolves like `promise`, or to null after `timeoutMs`. The work itself is not stopped. */
export function withTimeout<T>(timeoutMs: Millis, promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, timeoutMs, null)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
