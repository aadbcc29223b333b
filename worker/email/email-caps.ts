import { DAY_MS, MINUTE_MS, type Millis } from '../lib/clock'
import { limits } from '../limits'
import { type Email, type EmailCap, enqueueEmailWithinCap, isBelowCap } from './outbox'

/** Mail that anybody can cause by typing somebody's address. It is counted together (N3). */
const PUBLIC_FORM_CAP: EmailCap = {
  kinds: ['newsletter_confirm', 'newsletter_already', 'alert_confirm', 'alert_already'],
  perMailbox: limits.requestedEmailsPerMailboxPerDay,
  total: limits.requestedEmailsPerDay,
  windowMs: DAY_MS,
}

/** Two tries within so long are one mail: fifty presses of a button do not fill a mailbox. */
const DEDUPE_WINDOW_MS: Millis = 10 * MINUTE_MS

/** `of` is SQL of what is asked about: asking anew about another is another mail. */
type RequestedEmail = { to: string; email: Email; key: string; dedupeSuffixSql?: string; at: Millis }

/**
 * The statement that mails what somebody, whoever they are, asked for on a public form: at most a few a day to one
 * mailbox, aliases folded, and a bound for all of them together. Beyond that it silently does nothing. `when` is SQL
 * that must hold as well; its parameters start at ?14.
 */
export function enqueueRequestedEmail(
  db: D1Database,
  { to, email, key, dedupeSuffixSql, at }: RequestedEmail,
  condition?: { when: string; values: readonly (string | number)[] },
): D1PreparedStatement {
  const dedupeKey = `${key}:${Math.floor(at / DEDUPE_WINDOW_MS)}`
  return enqueueEmailWithinCap(db, { to, email, dedupeKey, dedupeSuffixSql, at }, PUBLIC_FORM_CAP, condition)
}

/** Whether asking would still be mailed today. Only for whoever has shown that the address is theirs. */
export const canRequestEmail = (db: D1Database, to: string, at: Millis): Promise<boolean> =>
  isBelowCap(db, to, PUBLIC_FORM_CAP, at)

type CappedEmail = { to: string; email: Email; dedupeKey: string; at: Millis }

/**
 * The statement that mails a new account the link that verifies its address. One mailbox gets so many a day, under
 * however many aliases accounts are made; each kind of mail is counted by itself, so that no stranger uses up another.
 */
export function enqueueVerificationEmail(db: D1Database, post: CappedEmail): D1PreparedStatement {
  return enqueueEmailWithinCap(db, post, {
    kinds: ['verify'],
    perMailbox: limits.verificationEmailsPerMailboxPerDay,
    total: null,
    windowMs: DAY_MS,
  })
}

/** The same for the receipt of an inquiry. */
export function enqueueInquiryReceipt(db: D1Database, post: CappedEmail): D1PreparedStatement {
  return enqueueEmailWithinCap(db, post, { ...PUBLIC_FORM_CAP, kinds: ['inquiry_received'] })
}

/** The same for whoever sent a verse, once it was taken: `id` is its own. */
export function enqueueVerseReceipt(db: D1Database, post: CappedEmail, id: string): D1PreparedStatement {
  return enqueueEmailWithinCap(
    db,
    post,
    { ...PUBLIC_FORM_CAP, kinds: ['verse_received'] },
    { when: 'EXISTS (SELECT 1 FROM verse_submissions WHERE id = ?14)', values: [id] },
  )
}
