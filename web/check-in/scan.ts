import type { CheckInToken } from '../../worker/contract/check-in'

const storageKey = (id: string) => `arrival:${id}`

/** Saves a scan in this tab until its user has an account with a confirmed email. */
export function saveScan(id: string, token: CheckInToken): void {
  try {
    sessionStorage.setItem(storageKey(id), JSON.stringify(token))
  } catch {
    // Without storage, the scan is lost when the page closes.
  }
}

export function loadSavedScan(id: string): CheckInToken | null {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(storageKey(id)) ?? 'null')
    return isCheckInToken(saved) ? saved : null
  } catch {
    return null
  }
}

export function deleteSavedScan(id: string): void {
  try {
    sessionStorage.removeItem(storageKey(id))
  } catch {
    // Without storage there is nothing to remove.
  }
}

const isCheckInToken = (value: unknown): value is CheckInToken =>
  typeof value === 'object' && value !== null && 'arrivalToken' in value && 'expiresAt' in value

/** The code that a scanned QR code put into the URL's hash, which servers do not see; null without one. */
export function scannedCode(): string | null {
  return /^#code=(\d{6})$/.exec(window.location.hash)?.[1] ?? null
}

/** Removes the code from the URL, so that a reload or a copied URL does not try it again. */
export function clearScannedCode(): void {
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
}
