/**
 * How long personal data is retained. The privacy policy states it and daily jobs enforce it. Months are calendar
 * months, clamped to the last day of a shorter month; days are 24 hours.
 */
export const RETENTION = {
  /** After the last activity. */
  inactiveAccountMonths: 36,
  /** Accounts with neither a confirmed address nor a paid order, after the last visit. */
  unconfirmedAccountDays: 7,
  /** Orders and payments, for bookkeeping; pseudonymized once the account is erased. */
  transactionMonths: 84,
  /** Streams, plays and clicks. */
  analyticsMonths: 26,
  /** When analytics lose their link to a user. */
  analyticsAnonymizedMonths: 14,
  /** Support correspondence. */
  supportMonths: 36,
  /** Content of a sent email. */
  emailBodyDays: 7,
  /** Content of an unsent email, which may be retried. */
  unsentEmailBodyDays: 30,
  /** Recipient and time of an email. */
  emailRecipientDays: 90,
  /** Hash of an address that bounced or complained; the mailbox may change owners. */
  suppressionMonths: 24,
  /** Unconfirmed newsletter and alert addresses, and data of unpaid orders. */
  unconfirmedDays: 30,
  /** Shipping address after account erasure: until delivery, or this long after shipping. */
  shipmentDays: 30,
  /** An account's cart after its last change. */
  cartDays: 180,
  /** A confirmed back-in-stock alert whose variant was not restocked. */
  stockAlertDays: 365,
  /** Consent of an unsubscribed address. */
  unsubscribedMonths: 12,
  /** Contacts imported from other platforms. */
  contactMonths: 36,
  /** Results of an import by row, without which it cannot be undone. */
  importReportDays: 30,
  /** Deliveries of webhooks, which can be replayed. */
  webhookDeliveryDays: 30,
  /** Archives of the whole site. */
  archiveDays: 30,
  /** Name and contact data of an entrant. */
  verseMonths: 36,
  /** Keyed hash of the mailbox of a counted vote, after the poll has closed. */
  pollMailboxDays: 30,
  /** Reasons of ballot decisions, which may name a user. */
  ballotReasonMonths: 12,
} as const

/** An inactive account is warned at least this long before erasure. */
export const INACTIVITY_WARNING_DAYS = 30

export const INQUIRY_RESPONSE_DAYS = 30

export const MINIMUM_AGE_YEARS = 13

/** Shown below every sign-up form. */
export const AGE_NOTICE = `By creating an account, also with Google, you confirm that you are ${MINIMUM_AGE_YEARS} or older.`

/** Stored with each sign-up; new text needs a new version. */
export const AGE_NOTICE_VERSION = 'age-13-2025-07-18'
