import type { MyNewsletter } from '../contract/newsletter'
import { canRequestEmail } from '../email/email-caps'
import { hasBounced } from '../email/suppressions'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { mailboxKey } from '../lib/email'
import { suppressionHash } from '../lib/keyed-hashes'
import { CONFIRM_TTL_MS } from './link-tokens'
import type { NewsletterDeps } from './newsletter'
import { unsubscribeStatements } from './preferences'
import { newsletterUnsubscribeLinks } from './unsubscribe-links'

type Row = { key: string | null; state: 'pending' | 'confirmed' | 'unsubscribed' | null; city: string | null }

/** The account's own address, where it is confirmed, and what the list knows of it. */
const findAccountSubscription = (d1: D1Database, userId: number) =>
  d1
    .prepare(
      `SELECT iif(u.email_verified_at IS NULL, NULL, u.email_key) AS key, s.state, s.city
       FROM users u LEFT JOIN subscribers s ON s.email_key = u.email_key WHERE u.id = ?1`,
    )
    .bind(userId)
    .first<Row>()

/**
 * Whether the account's own address gets the newsletter, and whether asking for it would send a mail today. Of an
 * address that its account has not confirmed nothing is said: it may be somebody else's.
 */
export async function accountSubscription(
  { db, secret, origin }: NewsletterDeps,
  userId: number,
  now: Millis,
): Promise<MyNewsletter> {
  const d1 = db.$client
  const row = await findAccountSubscription(d1, userId)
  const status = (state: MyNewsletter['state'], canAsk = false) => ({ state, canAsk, city: null, preferences: null })
  if (!row?.key) return status('unconfirmed')
  if (await hasBounced(d1, await suppressionHash(secret, row.key))) return status('bounced')
  if (row.state === 'confirmed') {
    const { pageUrl: page } = await newsletterUnsubscribeLinks({ secret, origin }, row.key)
    return { ...status('on'), city: row.city, preferences: page.slice(origin.length) }
  }
  const isPending = row.state === 'pending' && (await isConfirmationPending(d1, row.key, now))
  return status(isPending ? 'asked' : 'off', await canRequestEmail(d1, row.key, now))
}

/** Whether a mail whose button still works has gone, or is about to go, to this folded address. */
async function isConfirmationPending(d1: D1Database, key: string, now: Millis): Promise<boolean> {
  const row = await d1
    .prepare(
      `SELECT 1 FROM outbox o JOIN subscribers s ON s.email_key = ?1 AND o.created_at >= s.consent_at
       WHERE o.recipient_key = ?2 AND o.created_at > ?3 AND o.state <> 'failed'
         AND substr(o.dedupe_key, 1, length(?4)) = ?4 LIMIT 1`,
    )
    .bind(key, mailboxKey(key), now - CONFIRM_TTL_MS, `newsletter_confirm:${key}:`)
    .first()
  return row !== null
}

/** Takes the account's own address off the list. @throws AppError `forbidden` while that address is not confirmed. */
export async function unsubscribeAccount({ db }: NewsletterDeps, userId: number, now: Millis): Promise<void> {
  const row = await findAccountSubscription(db.$client, userId)
  if (!row?.key) throw new AppError('forbidden', 'Please confirm your address first: we mailed you a link.')
  await db.$client.batch(unsubscribeStatements(db.$client, { name: 'newsletter', key: row.key }, now))
}
