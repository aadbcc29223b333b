const KEY = 'order of the cart'

/** Remembers in this tab that an order pays for the cart, so that its receipt can empty the cart. */
export function rememberCartOrder(orderId: string): void {
  try {
    sessionStorage.setItem(KEY, orderId)
  } catch {
    // Without storage the cart stays as it is.
  }
}

/** Removes what a paid order of the cart has bought; other lines stay. Does nothing for other orders, or twice. */
export async function emptyCartAfter(order: {
  id: string
  lines: readonly { variantId: string; quantity: number }[]
}): Promise<void> {
  try {
    if (sessionStorage.getItem(KEY) !== order.id) return
    sessionStorage.removeItem(KEY)
  } catch {
    return
  }
  const { removeBought } = await import('../cart/cart-store')
  removeBought(order.lines)
}
