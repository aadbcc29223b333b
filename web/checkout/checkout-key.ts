const PREFIX = 'checkout of '
/** A key is good for so long: any order begun with it is long over by then. */
const CHECKOUT_KEY_TTL_MS = 24 * 60 * 60 * 1000

/** `key drawnAt`, as it is kept. */
function parseValidKey(kept: string | null, now: number): string | null {
  const [, key, createdAt] = /^([\w-]{22,64}) (\d{1,15})$/.exec(kept ?? '') ?? []
  return key !== undefined && now - Number(createdAt) < CHECKOUT_KEY_TTL_MS && Number(createdAt) <= now ? key : null
}

/**
 * A secret that this browser draws for a product and keeps for a day: whoever brings it goes on with the same open
 * order, so that a reload, a second tab and a retry after a lost answer reserve the stock once (ruling 23). A browser
 * that keeps nothing has a new one for every page.
 */
export function checkoutKey(productId: string, now = Date.now()): string {
  const generated = [...crypto.getRandomValues(new Uint8Array(24))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(PREFIX) && parseValidKey(localStorage.getItem(name), now) === null)
        localStorage.removeItem(name)
    const kept = parseValidKey(localStorage.getItem(PREFIX + productId), now)
    if (kept !== null) return kept
    localStorage.setItem(PREFIX + productId, `${generated} ${now}`)
  } catch {
    // Kept nowhere: the server's cookie still leads to the order.
  }
  return generated
}

/** An order is paid: nothing goes on with it, and the next one begins with a key of its own. */
export function clearCheckoutKeys(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name)
  } catch {
    // Nothing was kept.
  }
}
