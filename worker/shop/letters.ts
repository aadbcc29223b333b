import { type Fact, letter } from '../mail/letter'
import type { Letter } from '../mail/outbox'

export type Receipt = {
  siteName: string
  orderId: string
  /** What was bought, each with its own sum in cents. */
  lines: readonly { name: string; quantity: number; amountCents: number }[]
  /** What was taken off, shipping or tax, in cents; negative lessens the sum. */
  extras?: readonly { label: string; amountCents: number }[]
  totalCents: number
  /** Shown on the artist's clock. */
  paidAt: number
  timeZone: string
  /** The order's own page. */
  url: string
  /** Nobody was charged: the demo's payments, or the provider's test mode. */
  isTest: boolean
}

/** Says what was bought and paid, once the webhook has said so. */
export function receiptLetter(receipt: Receipt): Letter {
  const { siteName, orderId, lines, extras = [], totalCents, paidAt, timeZone, url, isTest } = receipt
  const facts: Fact[] = [
    ...lines.map(({ name, quantity, amountCents }) => ({
      label: quantity === 1 ? name : `${quantity} × ${name}`,
      value: dollars(amountCents),
    })),
    ...extras.map(({ label, amountCents }) => ({ label, value: dollars(amountCents) })),
    { label: 'Paid', value: dollars(totalCents), strong: true },
    { label: 'Order', value: orderId },
    { label: 'Date', value: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(paidAt) },
  ]
  return letter({
    kind: 'receipt',
    subject: `Your order from ${siteName}`,
    from: siteName,
    paragraphs: ['Thank you. Your order is paid, and we are getting it ready.'],
    facts,
    action: { label: 'See your order', url },
    after: isTest ? ['This was a test payment: no card was charged and nothing is sent.'] : [],
  })
}

/** Integer cents as US dollars: '$19.99', '-$5.00'. */
function dollars(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)
}
