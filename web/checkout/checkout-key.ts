const nameOf = (productId: string) => `checkout of ${productId}`

/**
 * A secret that this browser draws for a product and keeps: whoever brings it goes on with the same open order, so that
 * a reload, a second tab and a retry after a lost answer reserve the stock once (ruling 23). A browser that keeps
 * nothing has a new one for every page.
 */
export function checkoutKey(productId: string): string {
  const name = nameOf(productId)
  const drawn = [...crypto.getRandomValues(new Uint8Array(24))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  try {
    const kept = localStorage.getItem(name)
    if (kept && /^[\w-]{22,64}$/.test(kept)) return kept
    localStorage.setItem(name, drawn)
  } catch {
    // Kept nowhere: the server's cookie still leads to the order.
  }
  return drawn
}
