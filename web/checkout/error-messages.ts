import { ApiError } from '../api/call'

/** What a refusal means for a buyer. `mendable` is false where trying again cannot help now. */
export type CheckoutErrorMessage = { title: string; text: string; canRetry: boolean }

/** How many are left, where that is why; null for every other refusal. */
export function remainingStock(error: Error | null): number | null {
  return error instanceof ApiError && error.code === 'sold_out' && error.left ? error.left : null
}

/** Why the payment could not be prepared, in words for the place of the card form (ruling 25). */
export function checkoutErrorMessage(error: Error): CheckoutErrorMessage {
  if (!(error instanceof ApiError))
    return {
      title: 'No connection',
      text: 'The payment could not be prepared. Check your connection and try again; nothing has been charged.',
      canRetry: true,
    }
  const text = error.message.replace(/^\d{3}: /, '')
  switch (error.code) {
    case 'payments_off':
      return {
        title: 'Card payment is not set up on this site yet',
        text: 'Your order is not lost: it is in this page’s address. Nothing has been charged.',
        canRetry: true,
      }
    case 'sold_out':
      return error.left
        ? { title: 'Fewer are left', text: `${text} Order fewer on the receipt.`, canRetry: true }
        : {
            title: 'Sold out',
            text: `${text} Leave your address in the store to hear of the next drop.`,
            canRetry: true,
          }
    case 'too_many_reserved':
      return { title: 'That is a lot at once', text, canRetry: true }
    case 'order_paid':
    case 'payment_under_way':
      return {
        title: 'This order is paid or being paid',
        text: `${text} Its receipt is on its way to you.`,
        canRetry: true,
      }
    case 'price_changed':
      return { title: 'The price has changed', text: `${text} Retry shows the new one.`, canRetry: true }
    case 'rate_limited':
      return { title: 'One moment', text, canRetry: true }
    case 'not_found':
      return { title: 'This product is not sold here', text, canRetry: false }
    default:
      return { title: 'The payment could not be prepared', text: `${text} Nothing has been charged.`, canRetry: true }
  }
}
