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
  /** The order's own page; null where nobody knows at what address the site is served. */
  url: string | null
  /** Nobody was charged: the demo's payments, or the provider's test mode. */
  isTest: boolean
}

/** Says what was bought and paid, once the webhook has said so. */
export function receiptLetter(receipt: Receipt): Letter {
  const { siteName, paidAt, timeZone, totalCents, isTest } = receipt
  return letter({
    kind: 'receipt',
    subject: `Your order from ${siteName}`,
    from: siteName,
    paragraphs: ['Thank you. Your order is paid, and we are getting it ready.'],
    facts: [
      ...bought(receipt),
      { label: 'Paid', value: dollars(totalCents), strong: true },
      { label: 'Order', value: receipt.orderId },
      { label: 'Date', value: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(paidAt) },
    ],
    ...page(receipt),
    after: isTest ? ['This was a test payment: no card was charged and nothing is sent.'] : [],
  })
}

export type Refund = Omit<Receipt, 'paidAt' | 'timeZone'> & {
  /** A sentence: why the money goes back, and that it does. */
  why: string
}

/** Says that the money goes back: because it came too late, or because somebody asked for it. */
export function refundLetter(refund: Refund): Letter {
  const { siteName, why, totalCents, orderId, isTest } = refund
  return letter({
    kind: 'refund',
    subject: `Your refund from ${siteName}`,
    from: siteName,
    paragraphs: [why],
    facts: [
      ...bought(refund),
      { label: 'Back to your card', value: dollars(totalCents), strong: true },
      { label: 'Order', value: orderId },
    ],
    ...page(refund),
    after: [isTest ? 'This was a test payment: no card was charged.' : 'Your bank may take up to ten days to show it.'],
  })
}

const bought = ({ lines, extras = [] }: Pick<Receipt, 'lines' | 'extras'>): Fact[] => [
  ...lines.map(({ name, quantity, amountCents }) => ({
    label: quantity === 1 ? name : `${quantity} × ${name}`,
    value: dollars(amountCents),
  })),
  ...extras.map(({ label, amountCents }) => ({ label, value: dollars(amountCents) })),
]

const page = ({ url }: Pick<Receipt, 'url'>) => (url === null ? {} : { action: { label: 'See your order', url } })

/** Integer cents as US dollars: '$19.99', '-$5.00'. */
function dollars(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)
}
