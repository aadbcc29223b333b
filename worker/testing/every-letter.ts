import { appointedLetter } from '../admin/letters'
import { alreadyToldLetter, confirmAlertLetter, showAlertLetter } from '../alerts/letters'
import { changedLetter, confirmLetter, erasedLetter, resetLetter, verifyLetter } from '../auth/letters'
import { ownDataPage } from '../auth/own-data-page'
import { finalistLetter, resultLetter, verseReceivedLetter, winnerLetter } from '../challenge/letters'
import { csvLinkLetter } from '../exports/letters'
import type { Letter } from '../mail/outbox'
import { alreadyListedLetter, confirmNewsletterLetter, welcomeLetter } from '../newsletter/letters'
import {
  addressFileLetter,
  erasedAddressLetter,
  inactiveLetter,
  inquiryAnswerLetter,
  inquiryDueLetter,
  inquiryReceivedLetter,
} from '../privacy/letters'
import { receiptLetter, refundLetter } from '../shop/letters'
import { cancelledLetter, trialEndingLetter } from '../tiers/letters'

const AT = Date.parse('2026-07-04T00:00:00Z')
const ZONE = 'America/New_York'

/** Every letter of the house, with one text in every place that a person or an administrator can fill. */
export function everyLetter(said: string): Letter[] {
  const link = { siteName: said, origin: 'https://fan.example', username: said, token: 'SECRET', sender: said }
  const unsubscribe = { why: said, page: 'https://fan.example/out', oneClick: 'https://fan.example/api/out' }
  const member = { ...link, tierName: said, timeZone: ZONE }
  const entrant = {
    ...link,
    challengeId: 'c',
    challenge: said,
    stageName: said,
    prize: said,
    votingFrom: '2026-07-17',
    votingUntil: '2026-07-20',
    closedOn: '2026-07-25',
    sharedWith: [said, said],
    sha256: 'c0ffee'.repeat(11).slice(0, 64),
    ballots: 1234,
  }
  const show = { id: 's', city: said, venue: said, address: said, startsAt: AT, timeZone: ZONE, priceCents: 2500 }
  return [
    verifyLetter(link),
    resetLetter(link),
    changedLetter(link),
    confirmLetter({ ...link, code: '123456' }),
    confirmNewsletterLetter(link),
    welcomeLetter({ ...link, unsubscribe }),
    alreadyListedLetter({ ...link, unsubscribe }),
    confirmAlertLetter({ ...link, city: said }),
    showAlertLetter({ ...link, show, unsubscribe }),
    csvLinkLetter({ ...link, hours: 24, downloads: 5 }),
    receiptLetter({
      siteName: said,
      orderId: 'order_1',
      lines: [{ name: said, quantity: 2, amountCents: 3998 }],
      extras: [{ label: said, amountCents: -500 }],
      totalCents: 3498,
      paidAt: AT,
      timeZone: ZONE,
      url: 'https://fan.example/orders/order_1',
      isTest: true,
    }),
    trialEndingLetter({ ...member, priceCents: 1500, endsAt: AT }),
    cancelledLetter({ ...member, until: AT }),
    addressFileLetter({ siteName: said, page: ownDataPage({ parts: [{ said }] }, 'fan.example'), text: said }),
    erasedAddressLetter({ ...link, at: '2026-07-04T00:00:00Z', orders: 1 }),
    erasedLetter({ ...link, at: '2026-07-04T00:00:00Z', asked: true }),
    inquiryReceivedLetter({ ...link, kind: 'access', due: 'August 3, 2026' }),
    inquiryAnswerLetter({ ...link, answer: `${said}\n\n${said}`, question: said }),
    inquiryDueLetter({ ...link, due: 'August 3, 2026', late: false }),
    inactiveLetter({ ...link, ends: 'August 3, 2026' }),
    refundLetter({
      siteName: said,
      orderId: 'order_1',
      lines: [{ name: said, quantity: 1, amountCents: 3998 }],
      extras: [],
      totalCents: 3998,
      url: null,
      why: said,
      isTest: false,
    }),
    appointedLetter(link),
    verseReceivedLetter({ ...link, challenge: said, stageName: said, decided: 'July 17, 2026' }),
    finalistLetter(entrant),
    winnerLetter(entrant),
    resultLetter(entrant),
    alreadyToldLetter({ ...link, city: said, unsubscribe }),
  ]
}
