/**
 * How long personal data is kept (specification section 9). The privacy policy prints these and the daily scheduled
 * job enforces them, so the two cannot disagree (ruling 28). Months are calendar months: a limit falls on the same day
 * of the month, or on that month's last day when it is shorter.
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
} as const

/** Privacy inquiries are answered within this many days. */
export const INQUIRY_ANSWER_DAYS = 30

/** The site is not for children under this age, in years. */
export const MINIMUM_AGE_YEARS = 13
