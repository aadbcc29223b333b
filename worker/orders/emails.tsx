import type { Email } from '../email/outbox'
import { type Fact, renderEmail } from '../email/render-email'

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
  /** The order's own page; null where nobody knows at what address the site is served. */
  url: string | null
  /** Nobody was charged: the demo's payments, or the provider's test mode. */
  isTest: boolean
}

/** Says what was bought and paid, once the webhook has said so. */
export function receiptEmail(receipt: Receipt): Email {
  const { siteName, paidAt, timeZone, totalCents, isTest } = receipt
  return renderEmail({
    kind: 'receipt',
    subject: `Your order from ${siteName}`,
    from: siteName,
    paragraphs: ['Thank you. Your order is paid, and we are getting it ready.'],
    facts: [
      ...lineItems(receipt),
      { label: 'Paid', value: dollars(totalCents), strong: true },
      { label: 'Order', value: receipt.orderId },
      { label: 'Date', value: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(paidAt) },
    ],
    ...orderLink(receipt),
    after: isTest ? ['This was a test payment: no card was charged and nothing is sent.'] : [],
  })
}

export type Refund = Omit<Receipt, 'paidAt' | 'timeZone'> & {
  /** A sentence: why the money goes back, and that it does. */
  reason: string
}

/** Says that the money goes back: because it came too late, or because somebody asked for it. */
export function refundEmail(refund: Refund): Email {
  const { siteName, reason, totalCents, orderId, isTest } = refund
  return renderEmail({
    kind: 'refund',
    subject: `Your refund from ${siteName}`,
    from: siteName,
    paragraphs: [reason],
    facts: [
      ...lineItems(refund),
      { label: 'Back to your card', value: dollars(totalCents), strong: true },
      { label: 'Order', value: orderId },
    ],
    ...orderLink(refund),
    after: [isTest ? 'This was a test payment: no card was charged.' : 'Your bank may take up to ten days to show it.'],
  })
}

const lineItems = ({ lines, extras = [] }: Pick<Receipt, 'lines' | 'extras'>): Fact[] => [
  ...lines.map(({ name, quantity, amountCents }) => ({
    label: quantity === 1 ? name : `${quantity} × ${name}`,
    value: dollars(amountCents),
  })),
  ...extras.map(({ label, amountCents }) => ({ label, value: dollars(amountCents) })),
]

const orderLink = ({ url }: Pick<Receipt, 'url'>) => (url === null ? {} : { action: { label: 'See your order', url } })

/** Integer cents as US dollars: '$19.99', '-$5.00'. */
function dollars(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)
}
