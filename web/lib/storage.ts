/** Wraps a browser storage. If the browser denies access to it, reads find nothing and writes are lost. */
const safeStorage = (open: () => Storage) => ({
  read(key: string): string | null {
    try {
      return open().getItem(key)
    } catch {
      return null
    }
  },
  /** The parsed JSON; null if it is missing or damaged. */
  readJson(key: string): unknown {
    try {
      return JSON.parse(open().getItem(key) ?? 'null')
    } catch {
      return null
    }
  },
  /** Removes the entry if the value is null. Returns false if the browser denied it. */
  write(key: string, value: string | null): boolean {
    try {
      if (value === null) open().removeItem(key)
      else open().setItem(key, value)
      return true
    } catch {
      return false
    }
  },
  /** All keys that begin with `prefix`. */
  keys(prefix: string): string[] {
    try {
      return Object.keys(open()).filter((key) => key.startsWith(prefix))
    } catch {
      return []
    }
  },
})

export const deviceStorage = safeStorage(() => localStorage)
/** Lasts until the tab is closed. */
export const tabStorage = safeStorage(() => sessionStorage)
