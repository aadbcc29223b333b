import { ApiError, errorMessage } from '../api/call'

type CheckoutErrorMessage = { title: string; text: string; canRetry: boolean }

/** The remaining stock if some units, but fewer than ordered, are left; null if sold out and for other errors. */
export function remainingStock(error: Error | null): number | null {
  return error instanceof ApiError && error.code === 'sold_out' && error.stockLeft ? error.stockLeft : null
}

/** Describes why the order could not be created, and what the buyer can do. */
export function checkoutErrorMessage(error: Error): CheckoutErrorMessage {
  if (!(error instanceof ApiError))
    return {
      title: 'No connection',
      text: 'The payment could not be prepared. Check your connection and try again; nothing has been charged.',
      canRetry: true,
    }
  const text = errorMessage(error)
  switch (error.code) {
    case 'payments_off':
      return {
        title: 'Card payment is not set up on this site yet',
        text: 'Your order is not lost: come back to this page later. Nothing has been charged.',
        canRetry: true,
      }
    case 'sold_out':
      return error.stockLeft
        ? {
            title: 'Not enough in stock',
            text: `${text} Please order fewer.`,
            canRetry: true,
          }
        : {
            title: 'Sold out',
            text: `${text} Leave your email in the store to hear about the next drop.`,
            canRetry: true,
          }
    case 'too_many_reserved':
      return { title: 'Too many at once', text, canRetry: true }
    case 'order_paid':
    case 'payment_under_way':
      return {
        title: 'This order is already paid or being processed',
        text: `${text} Its receipt is on its way to you.`,
        canRetry: true,
      }
    case 'price_changed':
      return { title: 'The price has changed', text: `${text} Retry shows the new one.`, canRetry: true }
    case 'unserved_country':
      return { title: 'We do not ship there yet', text, canRetry: false }
    case 'choose_variant':
      return { title: 'One more choice', text, canRetry: false }
    case 'rate_limited':
      return { title: 'One moment', text, canRetry: true }
    case 'not_found':
      return { title: 'This product is not sold here', text, canRetry: false }
    default:
      return { title: 'The payment could not be prepared', text: `${text} Nothing has been charged.`, canRetry: true }
  }
}
