import type { Email } from '../email/outbox'
import { renderEmail, type UnsubscribeLinks } from '../email/render-email'

/** `product`: 'The Hoodie (M)'. */
type EmailContext = { siteName: string; origin: string; product: string }

/** Confirmation request for an alert (double opt-in). */
export function confirmStockAlertEmail({ siteName, origin, product, token }: EmailContext & { token: string }): Email {
  return renderEmail({
    kind: 'stock_alert_confirm',
    subject: 'Confirm your back-in-stock alert',
    from: siteName,
    paragraphs: [
      `Someone, hopefully you, asked ${siteName} to email this address when ${product} is in stock again.`,
      'Confirm, and you get one email when it is back. If you do not, we will not email you about it.',
    ],
    action: { label: 'Confirm my alert', url: `${origin}/stock-alerts/confirm?token=${token}` },
    smallPrint: ['The link works for seven days. If this was not you, you can ignore this email.'],
  })
}

/** Answers a repeated request by email: the HTTP response must not reveal whether an address has an alert. */
export function existingStockAlertEmail({
  siteName,
  origin,
  product,
  path,
  unsubscribe,
}: EmailContext & { path: string; unsubscribe: UnsubscribeLinks }): Email {
  return renderEmail({
    kind: 'stock_alert_already',
    subject: 'Your back-in-stock alert is already on',
    from: siteName,
    paragraphs: [
      `Someone just asked again to hear when ${product} is back. Your alert is already on, so there is nothing you need to do.`,
    ],
    action: { label: 'See the product', url: origin + path },
    unsubscribe,
  })
}

/** The one email of an alert. */
export function backInStockEmail({
  siteName,
  origin,
  product,
  path,
  unsubscribe,
}: EmailContext & { path: string; unsubscribe: UnsubscribeLinks }): Email {
  return renderEmail({
    kind: 'stock_alert',
    subject: `${product} is back`,
    from: siteName,
    paragraphs: [
      `You asked us to tell you: ${product} is in stock again. Nothing is reserved for you, so the first to check out get it.`,
    ],
    action: { label: 'Get it now', url: origin + path },
    smallPrint: ['This alert is now off: you get no further email about it.'],
    unsubscribe,
  })
}
