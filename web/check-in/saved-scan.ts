import type { CheckInToken } from '../../worker/contract/concerts'

const storageKey = (id: string) => `arrival:${id}`

/** Keeps a visitor's scan in this tab while they sign up. A browser that keeps nothing loses it, and can scan again. */
export function saveScan(id: string, arrival: CheckInToken): void {
  try {
    sessionStorage.setItem(storageKey(id), JSON.stringify(arrival))
  } catch {
    // Storage is off; the page still shows the scan while it is open.
  }
}

/** The scan that is kept for a show; null where there is none. */
export function loadSavedScan(id: string): CheckInToken | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey(id)) ?? 'null')
    return isCheckInToken(kept) ? kept : null
  } catch {
    return null
  }
}

export function deleteSavedScan(id: string): void {
  try {
    sessionStorage.removeItem(storageKey(id))
  } catch {
    // Nothing was kept.
  }
}

const isCheckInToken = (kept: unknown): kept is CheckInToken =>
  typeof kept === 'object' && kept !== null && 'arrivalToken' in kept && 'expiresAt' in kept
