import type { Millis } from './clock'

/** What `answer` comes to, or null when that takes longer; nothing stops it then. */
export async function within<T>(millis: Millis, answer: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, millis, null)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
