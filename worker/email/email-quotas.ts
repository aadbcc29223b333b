import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import type { Millis } from '../lib/clock'
import { mailboxKey, normalizeKey } from '../lib/email'
import { logEvent } from '../lib/log'
import { hasQuotasLeft, isWithinQuotas, QUOTAS, type QuotaUse, quotaStatement, quotaUse } from '../quotas/quotas'
import { users } from '../users/users.table'
import { type EnqueueOptions, enqueueEmail } from './outbox'

/**
 * Quotas of an email that anyone can cause by typing an address: one per mailbox, shared by its aliases, and the site's
 * total.
 */
export const strangerEmailQuotas = (secret: string, to: string): Promise<QuotaUse[]> =>
  Promise.all([
    quotaUse(secret, QUOTAS.strangerEmailsPerMailbox, mailboxKey(to)),
    quotaUse(secret, QUOTAS.strangerEmailsInTotal),
  ])

/**
 * Quotas of an email that an account requests for its own address, apart from those of strangers. They are keyed by
 * address and not by account, so that deleting the account does not reset them. Each confirmed address has its own
 * quota, as has each mailbox's main address, which only one account can have. Unconfirmed aliases share one quota per
 * mailbox, because a stranger may have typed them.
 */
export async function ownEmailQuotas(secret: string, to: string, isConfirmed: boolean): Promise<QuotaUse[]> {
  const address = normalizeKey(to)
  const mailbox = mailboxKey(to)
  if (isConfirmed || address === mailbox) return [await quotaUse(secret, QUOTAS.ownEmailsPerAddress, address)]
  return [await quotaUse(secret, QUOTAS.unconfirmedAliasEmailsPerMailbox, mailbox)]
}

/** Whether the address is the confirmed address of this account. */
export async function ownsAddress(db: Db, email: string, userId: number | null): Promise<boolean> {
  if (userId === null) return false
  const isOwn = and(eq(users.id, userId), eq(users.emailKey, normalizeKey(email)), isNotNull(users.emailVerifiedAt))
  return (await db.$count(users, isOwn)) > 0
}

/** The sender of a form: the account of the session, and the network (`clientNetwork48`). */
export type FormUser = { userId: number | null; network: string }

/**
 * Quotas of an email that a form requests. The account's own confirmed address has its own quotas. Other addresses have
 * those of strangers, and one per network so that no network can use up the site's total.
 */
export const requestedEmailQuotas = async (
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  email: string,
  { userId, network }: FormUser,
): Promise<QuotaUse[]> =>
  (await ownsAddress(db, email, userId))
    ? ownEmailQuotas(secret, email, true)
    : [await quotaUse(secret, QUOTAS.strangerEmailsPerNetwork, network), ...(await strangerEmailQuotas(secret, email))]

/**
 * Quota of a reset link. The account's known devices share one quota, because anyone with the password can add any
 * number of devices.
 */
export async function resetLinkQuotas(secret: string, to: string, isKnownDevice: boolean): Promise<QuotaUse[]> {
  const quota = isKnownDevice ? QUOTAS.resetLinksFromKnownDevices : QUOTAS.resetLinksPerMailbox
  return [await quotaUse(secret, quota, mailboxKey(to))]
}

/** Logs when the site's daily total is used up: until the window ends, emails that strangers cause are not sent. */
export async function reportUsedUpTotal({ db, secret }: Pick<Deps, 'db' | 'secret'>, at: Millis): Promise<void> {
  const quota = QUOTAS.strangerEmailsInTotal
  if (!(await hasQuotasLeft({ db }, [await quotaUse(secret, quota)], at)))
    logEvent('email-quota', { quota: quota.name, max: quota.max })
}

/** Statements that enqueue an email within its quotas and count it. They do nothing once a quota is used up. */
export function enqueueWithinQuotas(
  db: Db,
  { quotas, ...options }: Omit<EnqueueOptions, 'ifChanged'> & { quotas: readonly QuotaUse[] },
): [D1PreparedStatement, D1PreparedStatement] {
  const when = and(options.when, isWithinQuotas(quotas, options.at)) as SQL
  return [enqueueEmail(db, { ...options, when }), quotaStatement(db, quotas, options.at, sql`changes() > 0`)]
}
