/**
 * How long personal data is kept (specification section 9; what it is silent about is ours). The privacy policy prints
 * these and the daily scheduled job enforces them, so the two cannot disagree (ruling 28). Months are calendar months: a
 * limit falls on the same day of the month, or on that month's last day when it is shorter. Days are 24 hours.
 */
export const RETENTION = {
  /** Account data, after the last sign of activity; deletion on request comes first. */
  inactiveAccountMonths: 36,
  /** Orders and payments, kept for bookkeeping, pseudonymised once the account is gone. */
  transactionMonths: 84,
  /** Records of streams, plays and clicks: deleted after this. */
  analyticsMonths: 26,
  /** The same records lose every link to a person after this. */
  analyticsAnonymisedMonths: 14,
  /** Support correspondence. */
  supportMonths: 36,
  /** The words of a mail that was sent. */
  emailBodyDays: 7,
  /** The words of one that was not: somebody may want to send it again. */
  unsentEmailBodyDays: 30,
  /** To whom a mail went, and when. */
  emailRecipientDays: 90,
  /** The hash of an address that sent mail back or called it spam: its mailbox may be somebody else's by then. */
  suppressionMonths: 24,
  /** An address for the newsletter or show alerts that nobody confirmed, and what a buyer typed who never paid. */
  unconfirmedDays: 30,
  /** The address of a parcel whose buyer's account is gone: until it was delivered, or so long after it left. */
  shipmentDays: 30,
  /** What somebody agreed to who has left the newsletter. */
  unsubscribedMonths: 12,
  /** Who sent a verse to a challenge. */
  verseMonths: 36,
  /** The desk's words about why a flagged vote was kept or left out, which may name somebody. */
  ballotReasonMonths: 12,
} as const

/** An account is warned so long before it ends for want of use, and never ends sooner after its warning. */
export const INACTIVITY_WARNING_DAYS = 30

/** Privacy inquiries are answered within this many days. */
export const INQUIRY_RESPONSE_DAYS = 30

/** The site is not for children under this age, in years. */
export const MINIMUM_AGE_YEARS = 13

/** What whoever makes an account confirms by it; it stands below every way to make one. */
export const AGE_NOTICE = `By making an account here, with Google too, you confirm that you are ${MINIMUM_AGE_YEARS} or older.`

/** The sentence's name, kept with the instant at which somebody signed up below it; new words get a new name. */
export const AGE_NOTICE_VERSION = 'age-13-2025-07-18'
