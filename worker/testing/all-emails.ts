import { systemNoticeEmail, teamMemberAddedEmail } from '../admin/emails'
import {
  apiTokenCreatedEmail,
  emailChangedEmail,
  newAddressEmail,
  passkeyAddedEmail,
  passkeyRemovedEmail,
  passwordChangedEmail,
  passwordResetEmail,
  reauthenticationCodeEmail,
  verificationEmail,
} from '../auth/emails'
import { finalistEmail, resultEmail, verseReceivedEmail, winnerEmail } from '../challenge/emails'
import { alreadyAlertedEmail, confirmAlertEmail, showAlertEmail } from '../concerts/emails'
import { webhookDisabledEmail } from '../developers/emails'
import type { Email } from '../email/outbox'
import { csvLinkEmail, exportReadyEmail } from '../exports/emails'
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
import { backInStockEmail, confirmStockAlertEmail, existingStockAlertEmail } from '../stock-alerts/emails'
import { membershipCanceledEmail, trialEndingEmail } from '../subscriptions/emails'

const AT = Date.parse('2026-07-04T00:00:00Z')
const ZONE = 'America/New_York'

/**
 * Every email. `userInput` is in each field that a supporter or visitor can set, `teamText` in each that the team sets.
 */
export const allEmails = (teamText: string, userInput = teamText): Email[] =>
  Object.values(emailsByTemplate(teamText, userInput)).flat()

/** Emails by the name of the function that renders them. */
export function emailsByTemplate(teamText: string, userInput: string) {
  const link = {
    siteName: teamText,
    origin: 'https://fan.example',
    username: userInput,
    token: 'SECRET',
    sender: teamText,
  }
  const unsubscribe = {
    reason: teamText,
    pageUrl: 'https://fan.example/out',
    oneClickUrl: 'https://fan.example/api/out',
  }
  const member = { ...link, tierName: teamText, timeZone: ZONE }
  const entrant = {
    ...link,
    challengeId: 'c',
    challenge: teamText,
    stageName: userInput,
    prize: teamText,
    votingFrom: '2026-07-17',
    votingUntil: '2026-07-20',
    closedOn: '2026-07-25',
    sharedWith: [userInput, userInput],
    sha256: 'c0ffee'.repeat(11).slice(0, 64),
    ballots: 1234,
  }
  const show = {
    id: 's',
    slug: 's',
    city: teamText,
    venue: teamText,
    address: teamText,
    startsAt: AT,
    timeZone: ZONE,
    priceCents: 2500,
  }
  return {
    webhookDisabledEmail: webhookDisabledEmail({
      siteName: teamText,
      origin: link.origin,
      host: teamText,
      isGone: false,
    }),
    verificationEmail: verificationEmail(link),
    passwordResetEmail: passwordResetEmail(link),
    passwordChangedEmail: passwordChangedEmail(link),
    newAddressEmail: newAddressEmail(link),
    emailChangedEmail: emailChangedEmail(link),
    apiTokenCreatedEmail: apiTokenCreatedEmail({ ...link, creator: teamText, tokenName: teamText }),
    passkeyAddedEmail: passkeyAddedEmail(link),
    passkeyRemovedEmail: passkeyRemovedEmail(link),
    reauthenticationCodeEmail: reauthenticationCodeEmail({ ...link, code: '123456' }),
    confirmNewsletterEmail: confirmNewsletterEmail(link),
    welcomeEmail: welcomeEmail({ ...link, unsubscribe }),
    alreadySubscribedEmail: alreadySubscribedEmail({ ...link, unsubscribe }),
    confirmAlertEmail: confirmAlertEmail({ ...link, city: userInput }),
    showAlertEmail: showAlertEmail({ ...link, show, currency: 'USD', unsubscribe }),
    confirmStockAlertEmail: confirmStockAlertEmail({ ...link, product: teamText }),
    existingStockAlertEmail: existingStockAlertEmail({ ...link, product: teamText, path: '/products/p', unsubscribe }),
    backInStockEmail: backInStockEmail({ ...link, product: teamText, path: '/products/p', unsubscribe }),
    csvLinkEmail: csvLinkEmail({ ...link, hours: 24, downloads: 5 }),
    exportReadyEmail: exportReadyEmail({ ...link, fileName: 'points-2026-07-01.csv', expiresAt: AT, timeZone: ZONE }),
    receiptEmail: receiptEmail({
      currency: 'USD',
      siteName: teamText,
      orderId: 'order_1',
      lines: [{ name: teamText, quantity: 2, amountCents: 3998 }],
      extras: [{ label: teamText, amountCents: -500 }],
      totalCents: 3498,
      paidAt: AT,
      timeZone: ZONE,
      url: 'https://fan.example/orders/order_1',
      isTest: true,
    }),
    trialEndingEmail: trialEndingEmail({ ...member, priceCents: 1500, currency: 'USD', endsAt: AT }),
    membershipCanceledEmail: membershipCanceledEmail({ ...member, until: AT }),
    addressFileEmail: addressFileEmail({
      siteName: teamText,
      page: dataExportPage({ parts: [{ text: userInput }] }, 'fan.example'),
      text: userInput,
    }),
    addressErasedEmail: addressErasedEmail({ ...link, at: '2026-07-04T00:00:00Z', orders: 1 }),
    erasureReceiptEmail: erasureReceiptEmail({ ...link, at: '2026-07-04T00:00:00Z', byUserRequest: true }),
    inquiryReceivedEmail: inquiryReceivedEmail({ ...link, kind: 'access', due: 'August 3, 2026' }),
    inquiryAnswerEmail: inquiryAnswerEmail({ ...link, answer: `${teamText}\n\n${teamText}`, question: userInput }),
    inquiryDueEmail: inquiryDueEmail({ ...link, id: 'inquiry_1', due: 'August 3, 2026', isLate: false }),
    inactivityWarningEmail: inactivityWarningEmail({ ...link, endDay: 'August 3, 2026' }),
    refundEmail: refundEmail({
      currency: 'USD',
      siteName: teamText,
      orderId: 'order_1',
      lines: [{ name: teamText, quantity: 1, amountCents: 3998 }],
      extras: [],
      totalCents: 3998,
      url: `${link.origin}/orders/order_1`,
      reason: teamText,
      isTest: false,
    }),
    shippedEmail: shippedEmail({
      siteName: teamText,
      orderId: 'order_1',
      items: [{ name: teamText, quantity: 2 }],
      carrier: teamText,
      tracking: teamText,
      isPickup: false,
      url: `${link.origin}/orders/order_1`,
      isTest: true,
    }),
    teamMemberAddedEmail: teamMemberAddedEmail(link),
    systemNoticeEmail: systemNoticeEmail({ ...link, problems: ['There has been no archive for more than 8 days.'] }),
    verseReceivedEmail: [true, false].map((isConfirmed) =>
      verseReceivedEmail({ ...link, challenge: teamText, isConfirmed, finalistsOn: '2026-07-17' }),
    ),
    finalistEmail: finalistEmail(entrant),
    winnerEmail: winnerEmail(entrant),
    resultEmail: resultEmail(entrant),
    alreadyAlertedEmail: alreadyAlertedEmail({ ...link, city: userInput, unsubscribe }),
  }
}
