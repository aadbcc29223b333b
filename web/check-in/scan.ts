import type { CheckInToken } from '../../worker/contract/check-in'
import { tabStorage } from '../lib/storage'

const storageKey = (id: string) => `arrival:${id}`

/** Saves a scan in this tab until its user has an account with a confirmed email. */
export const saveScan = (id: string, token: CheckInToken) => tabStorage.write(storageKey(id), JSON.stringify(token))

export function loadSavedScan(id: string): CheckInToken | null {
  const saved = tabStorage.readJson(storageKey(id))
  return isCheckInToken(saved) ? saved : null
}

export const deleteSavedScan = (id: string) => tabStorage.write(storageKey(id), null)

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
