import type { InquiryKind } from '../contract/draft-rules'
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

/** Receipt of an account erased at `at` (ISO 8601): the last email to its address. */
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
    subject: `Your account at ${siteName} has been deleted`,
    from: siteName,
    paragraphs: [
      `${byUserRequest ? 'As you asked, your' : 'Your'} account was deleted on ${formatUtc(at)}: your name, addresses, phone number, password and sessions are gone.`,
      'Votes still count, and we keep orders without your name for as long as the law requires.',
      'If an order is on its way, we keep its delivery address until the order or its refund reaches you.',
      'This email is your receipt and the last one you will get from us.',
    ],
  })
}

/**
 * Acknowledges an inquiry, with its due day (as `formatDay` writes it). The link with `token` confirms the mailbox;
 * a null `token` leaves it out, because the inquiry is confirmed already.
 */
export function inquiryReceivedEmail({
  siteName,
  origin,
  kind,
  due,
  token,
}: EmailContext & { kind: InquiryKind; due: string; token: string | null }): Email {
  return renderEmail({
    kind: 'inquiry_received',
    subject: `Your privacy inquiry to ${siteName}`,
    from: siteName,
    paragraphs: [
      `We received your question about ${KIND_LABELS[kind]}. We will answer by ${due}, within ${INQUIRY_RESPONSE_DAYS} days.`,
    ],
    ...(token !== null && {
      action: { label: 'Confirm my inquiry', url: `${origin}/inquiries/confirm?token=${token}` },
      smallPrint: [
        'Please confirm so that we know this address is yours. If you did not ask us anything, you can ignore this email.',
      ],
    }),
  })
}

/** The data export of an address without an account: `page` is a whole HTML document, `text` is JSON. */
export function addressFileEmail({ siteName, page, text }: { siteName: string; page: string; text: string }): Email {
  return { kind: 'inquiry_file', subject: `Your data at ${siteName}`, text, html: page }
}

/** Receipt of an address erased at `at` (ISO 8601): the last email to it. `orders`: how many remain without a name. */
export function addressErasedEmail({ siteName, at, orders }: { siteName: string; at: string; orders: number }): Email {
  return renderEmail({
    kind: ERASURE_RECEIPT_KIND,
    subject: `Your address at ${siteName} has been deleted`,
    from: siteName,
    paragraphs: [
      `As you asked, we deleted what we stored about this address on ${formatUtc(at)}: subscriptions, verses with their names, phone numbers and recordings, emails and inquiries.`,
      ...(orders > 0
        ? [
            'We keep orders without your name for as long as the law requires. If one is on its way, we keep its delivery address until the order or its refund reaches you.',
          ]
        : []),
      'We keep a keyed hash of the address, which identifies no one, so that we send you no newsletter unless you ask for it again.',
      'This email is your receipt and the last one you will get from us.',
    ],
  })
}

/** `question` is null unless the mailbox has confirmed the inquiry: a stranger may have typed it. */
export function inquiryAnswerEmail({
  siteName,
  answer,
  question,
}: {
  siteName: string
  answer: string
  question: string | null
}): Email {
  return renderEmail({
    kind: 'inquiry_answer',
    subject: `The answer to your privacy inquiry to ${siteName}`,
    from: siteName,
    paragraphs: answer.split(/\n{2,}/),
    smallPrint:
      question === null ? [] : [`You asked: ${question.length > 300 ? `${question.slice(0, 299)}…` : question}`],
  })
}

/** Reminds an administrator of an open inquiry. `due` is its due day, as `formatDay` writes it. */
export function inquiryDueEmail({
  siteName,
  origin,
  id,
  due,
  isLate,
}: EmailContext & { id: string; due: string; isLate: boolean }): Email {
  return renderEmail({
    kind: 'inquiry_due',
    subject: isLate ? 'A privacy inquiry is overdue' : 'A privacy inquiry is due in a week',
    from: siteName,
    paragraphs: [`The answer to a privacy inquiry ${isLate ? 'was' : 'is'} due by ${due}.`],
    action: { label: 'Answer the inquiry', url: `${origin}/admin/privacy/${id}` },
  })
}

/** Warns a user that their inactive account will be deleted on `endDay`. */
export function inactivityWarningEmail({
  siteName,
  origin,
  username,
  endDay,
}: EmailContext & { username: string | null; endDay: string }): Email {
  return renderEmail({
    kind: 'inactive',
    subject: `Your account at ${siteName} will be deleted on ${endDay}`,
    from: siteName,
    paragraphs: [
      ...greeting(username),
      `You have not logged in for almost ${RETENTION.inactiveAccountMonths / 12} years. We do not store data longer than needed, so on ${endDay} we will delete your account and its personal data.`,
      'To keep your account, log in once before that day.',
    ],
    action: { label: 'Log in to keep it', url: `${origin}/login` },
  })
}
