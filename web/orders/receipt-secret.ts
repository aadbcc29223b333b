const storageKey = (orderId: string) => `receipt of ${orderId}`

/** The secret of a receipt that this tab has opened; empty when it has not. */
export function receiptSecret(orderId: string): string {
  try {
    return sessionStorage.getItem(storageKey(orderId)) ?? ''
  } catch {
    return ''
  }
}

/**
 * Keeps the secret for this tab, so that a reload finds it after it has been taken out of the address: what stands in
 * an address stays in the browser's history, for the next person at the machine.
 * @returns false where the browser keeps nothing, and the address must keep it.
 */
export function saveReceiptSecret(orderId: string, secret: string): boolean {
  try {
    sessionStorage.setItem(storageKey(orderId), secret)
    return true
  } catch {
    return false
  }
}
