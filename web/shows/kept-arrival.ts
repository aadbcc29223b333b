import type { Arrival } from '../../worker/contract/check-in'

const name = (id: string) => `arrival:${id}`

/** Keeps a visitor's scan in this tab while they sign up. A browser that keeps nothing loses it, and can scan again. */
export function keepArrival(id: string, arrival: Arrival): void {
  try {
    sessionStorage.setItem(name(id), JSON.stringify(arrival))
  } catch {
    // Storage is off; the page still shows the scan while it is open.
  }
}

/** The scan that is kept for a show; null where there is none. */
export function keptArrival(id: string): Arrival | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(name(id)) ?? 'null')
    return isArrival(kept) ? kept : null
  } catch {
    return null
  }
}

export function dropArrival(id: string): void {
  try {
    sessionStorage.removeItem(name(id))
  } catch {
    // Nothing was kept.
  }
}

const isArrival = (kept: unknown): kept is Arrival =>
  typeof kept === 'object' && kept !== null && 'arrivalToken' in kept && 'expiresAt' in kept
