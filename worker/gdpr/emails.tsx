import type { InquiryKind } from '../contract/privacy'
import { INQUIRY_RESPONSE_DAYS, RETENTION } from '../contract/retention'
import type { Email } from '../email/outbox'
import { greeting, renderEmail } from '../email/render-email'

type EmailContext = { siteName: string; origin: string }

const KIND_LABELS: Record<InquiryKind, string> = {
  access: 'seeing your data',
  correction: 'correcting your data',
  deletion: 'deleting your data',
  objection: 'an objection to how your data is used',
  other: 'your data',
}

/** 'July 4, 2026 at 12:00 AM UTC' */
const formatUtc = (isoTime: string) =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(isoTime)).replace('\u202f', ' ')} UTC`

/** The outbox kind of erasure receipts. */
export const ERASURE_RECEIPT_KIND = 'erased'

/** Receipt of an erased account: the last email to its address. */
export function erasureReceiptEmail({
  siteName,
  at,
  byUserRequest,
}: {
  siteName: string
  at: string
  byUserRequest: boolean
}): Email {
  return renderEmail({
    kind: ERASURE_RECEIPT_KIND,
    subject: `Your account at ${siteName} is deleted`,
    from: siteName,
    paragraphs: [
      `${byUserRequest ? 'As you asked, your' : 'Your'} account was deleted on ${formatUtc(at)}: name, addresses, phone, password and sessions are gone.`,
      'Votes stay counted and orders stay in the books for as long as the law asks, without your name on them.',
      'An order on its way keeps the address that it goes to until it, or its refund, has reached you.',
      'This mail is your receipt, and the last one from us.',
    ],
  })
}

/** Confirms that an inquiry arrived, with its due date and a link that proves the mailbox. */
export function inquiryReceivedEmail({
  siteName,
  origin,
  kind,
  due,
  token,
}: EmailContext & { kind: InquiryKind; due: string; token: string }): Email {
  return renderEmail({
    kind: 'inquiry_received',
    subject: `Your privacy inquiry to ${siteName}`,
    from: siteName,
    paragraphs: [
      `Your question about ${KIND_LABELS[kind]} has reached us. We answer it by ${due}, within ${INQUIRY_RESPONSE_DAYS} days.`,
    ],
    action: { label: 'Yes, I asked', url: `${origin}/inquiries/confirm?token=${token}` },
    after: ['Press it, so that we know that the address is yours. If you did not ask us anything, ignore this mail.'],
  })
}

/** The data export of an address without an account; `page` is the HTML body. */
export function addressFileEmail({ siteName, page, text }: { siteName: string; page: string; text: string }): Email {
  return { kind: 'inquiry_file', subject: `Your data at ${siteName}`, text, html: page }
}

/** Receipt of an erased address: the last email to it. */
export function addressErasedEmail({ siteName, at, orders }: { siteName: string; at: string; orders: number }): Email {
  return renderEmail({
    kind: ERASURE_RECEIPT_KIND,
    subject: `Your address at ${siteName} is deleted`,
    from: siteName,
    paragraphs: [
      `As you asked, what we kept about this address was deleted on ${formatUtc(at)}: its place on our lists, verses’ names, phone numbers and recordings, mails and questions.`,
      ...(orders > 0
        ? [
            'Orders stay in the books for as long as the law asks, without your name on them. One on its way keeps the address that it goes to until it, or its refund, has reached you.',
          ]
        : []),
      'A keyed hash of the address stays, which leads back to nobody, so that nothing is sent here again.',
      'This mail is your receipt, and the last one from us.',
    ],
  })
}

/** `question` is null unless the mailbox has confirmed it: somebody else may have typed it. */
export function inquiryAnswerEmail({
  siteName,
  answer,
  question,
}: EmailContext & { answer: string; question: string | null }): Email {
  return renderEmail({
    kind: 'inquiry_answer',
    subject: `The answer to your privacy inquiry to ${siteName}`,
    from: siteName,
    paragraphs: answer.split(/\n{2,}/),
    after:
      question === null ? [] : [`You had asked: ${question.length > 300 ? `${question.slice(0, 299)}…` : question}`],
  })
}

/** Reminds an administrator of an open inquiry. */
export function inquiryDueEmail({ siteName, origin, due, late }: EmailContext & { due: string; late: boolean }): Email {
  return renderEmail({
    kind: 'inquiry_due',
    subject: late ? 'A privacy inquiry is overdue' : 'A privacy inquiry is due in a week',
    from: siteName,
    paragraphs: [`A supporter's question about personal data ${late ? 'was' : 'is'} to be answered by ${due}.`],
    action: { label: 'Answer it', url: `${origin}/admin?tab=privacy` },
  })
}

/** Warns a user that their inactive account ends on `ends`. */
export function inactivityWarningEmail({
  siteName,
  origin,
  username,
  ends,
}: EmailContext & { username: string | null; ends: string }): Email {
  return renderEmail({
    kind: 'inactive',
    subject: `Your account at ${siteName} ends on ${ends}`,
    from: siteName,
    paragraphs: [
      ...greeting(username),
      `You have not been here for almost ${RETENTION.inactiveAccountMonths / 12} years. We do not keep what we do not need: on ${ends} your account and what it says about you are deleted.`,
      'To keep it, log in once before that day.',
    ],
    action: { label: 'Log in and keep it', url: `${origin}/login` },
  })
}
