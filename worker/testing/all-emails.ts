import { systemNoticeEmail, teamMemberAddedEmail } from '../admin/emails'
import {
  confirmationCodeEmail,
  emailChangedEmail,
  newAddressEmail,
  passwordChangedEmail,
  passwordResetEmail,
  verificationEmail,
} from '../auth/emails'
import { finalistEmail, resultEmail, verseReceivedEmail, winnerEmail } from '../challenge/emails'
import { alreadyAlertedEmail, confirmAlertEmail, showAlertEmail } from '../concerts/emails'
import type { Email } from '../email/outbox'
import { csvLinkEmail } from '../exports/emails'
import { dataExportPage } from '../gdpr/data-export-page'
import {
  addressErasedEmail,
  addressFileEmail,
  erasureReceiptEmail,
  inactivityWarningEmail,
  inquiryAnswerEmail,
  inquiryDueEmail,
  inquiryReceivedEmail,
} from '../gdpr/emails'
import { alreadySubscribedEmail, confirmNewsletterEmail, welcomeEmail } from '../newsletter/emails'
import { receiptEmail, refundEmail, shippedEmail } from '../orders/emails'
import { membershipCancelledEmail, trialEndingEmail } from '../subscriptions/emails'

const AT = Date.parse('2026-07-04T00:00:00Z')
const ZONE = 'America/New_York'

/** Every email template, with `typed` in each field that a supporter or visitor can fill and `text` in the team's. */
export function allEmails(text: string, typed = text): Email[] {
  const link = { siteName: text, origin: 'https://fan.example', username: typed, token: 'SECRET', sender: text }
  const unsubscribe = { reason: text, pageUrl: 'https://fan.example/out', oneClickUrl: 'https://fan.example/api/out' }
  const member = { ...link, tierName: text, timeZone: ZONE }
  const entrant = {
    ...link,
    challengeId: 'c',
    challenge: text,
    stageName: typed,
    prize: text,
    votingFrom: '2026-07-17',
    votingUntil: '2026-07-20',
    closedOn: '2026-07-25',
    sharedWith: [typed, typed],
    sha256: 'c0ffee'.repeat(11).slice(0, 64),
    ballots: 1234,
  }
  const show = {
    id: 's',
    slug: 's',
    city: text,
    venue: text,
    address: text,
    startsAt: AT,
    timeZone: ZONE,
    priceCents: 2500,
  }
  return [
    verificationEmail(link),
    passwordResetEmail(link),
    passwordChangedEmail(link),
    newAddressEmail(link),
    emailChangedEmail(link),
    confirmationCodeEmail({ ...link, code: '123456' }),
    confirmNewsletterEmail(link),
    welcomeEmail({ ...link, unsubscribe }),
    alreadySubscribedEmail({ ...link, unsubscribe }),
    confirmAlertEmail({ ...link, city: typed }),
    showAlertEmail({ ...link, show, unsubscribe }),
    csvLinkEmail({ ...link, hours: 24, downloads: 5 }),
    receiptEmail({
      siteName: text,
      orderId: 'order_1',
      lines: [{ name: text, quantity: 2, amountCents: 3998 }],
      extras: [{ label: text, amountCents: -500 }],
      totalCents: 3498,
      paidAt: AT,
      timeZone: ZONE,
      url: 'https://fan.example/orders/order_1',
      isTest: true,
    }),
    trialEndingEmail({ ...member, priceCents: 1500, endsAt: AT }),
    membershipCancelledEmail({ ...member, until: AT }),
    addressFileEmail({
      siteName: text,
      page: dataExportPage({ parts: [{ said: typed }] }, 'fan.example'),
      text: typed,
    }),
    addressErasedEmail({ ...link, at: '2026-07-04T00:00:00Z', orders: 1 }),
    erasureReceiptEmail({ ...link, at: '2026-07-04T00:00:00Z', byUserRequest: true }),
    inquiryReceivedEmail({ ...link, kind: 'access', due: 'August 3, 2026' }),
    inquiryAnswerEmail({ ...link, answer: `${text}\n\n${text}`, question: typed }),
    inquiryDueEmail({ ...link, due: 'August 3, 2026', late: false }),
    inactivityWarningEmail({ ...link, ends: 'August 3, 2026' }),
    refundEmail({
      siteName: text,
      orderId: 'order_1',
      lines: [{ name: text, quantity: 1, amountCents: 3998 }],
      extras: [],
      totalCents: 3998,
      url: null,
      reason: text,
      isTest: false,
    }),
    shippedEmail({
      siteName: text,
      orderId: 'order_1',
      items: [{ name: text, quantity: 2 }],
      carrier: text,
      tracking: text,
      isPickup: false,
      url: null,
      isTest: true,
    }),
    teamMemberAddedEmail(link),
    systemNoticeEmail({ ...link, problems: ['There has been no archive for 8 days.'] }),
    ...[true, false].map((isConfirmed) =>
      verseReceivedEmail({ ...link, challenge: text, isConfirmed, finalistsOn: 'July 17, 2026' }),
    ),
    finalistEmail(entrant),
    winnerEmail(entrant),
    resultEmail(entrant),
    alreadyAlertedEmail({ ...link, city: typed, unsubscribe }),
  ]
}
