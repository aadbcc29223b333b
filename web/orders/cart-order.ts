const KEY = 'order of the cart'

/** Stores in this tab that an order was made from the cart, so that what it bought leaves the cart once it is paid. */
export function saveCartOrder(orderId: string): void {
  try {
    sessionStorage.setItem(KEY, orderId)
  } catch {
    // Without storage, what was bought stays in the cart.
  }
}

/**
 * Removes what a paid order bought from the cart. Does nothing on a second call, or for an order that was not made from
 * the cart.
 */
export async function removeOrderFromCart(order: {
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
