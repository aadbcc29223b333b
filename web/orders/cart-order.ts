const KEY = 'order of the cart'

/** Stores in this tab that an order is for the cart, so that its receipt can empty the cart. */
export function saveCartOrder(orderId: string): void {
  try {
    sessionStorage.setItem(KEY, orderId)
  } catch {
    // Without storage, the cart is not emptied.
  }
}

/**
 * Removes the bought quantities from the cart after its order is paid. Does nothing for other orders or a second call.
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
