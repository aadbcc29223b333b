import { eq, type SQL, sql } from 'drizzle-orm'
import type { Preferences } from '../contract/newsletter'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { expiredLinkError, type MailingList, readLinkToken, readUnsubscribeToken } from '../email/link-tokens'
import { failWaitingEmails } from '../email/outbox'
import { hasBounced } from '../email/suppressions'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { mailboxKey, maskEmail, normalizeKey } from '../lib/email'
import { suppressionHash } from '../lib/keyed-hashes'
import { CONSENT_VERSION, subscribers } from './newsletter.table'

/** Unsubscribes the owner of an unsubscribe link. Idempotent, also after erasure. @throws AppError `bad_token`. */
export async function unsubscribeByLink(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  token: string,
  now: Millis,
): Promise<void> {
  const { list, key } = await readUnsubscribeToken(secret, token, now)
  await db.$client.batch(unsubscribeStatements(db, list, key, now))
}

/** Statements that remove a normalized address from a list and fail the waiting emails of that list. */
export function unsubscribeStatements(db: Db, list: MailingList, emailKey: string, now: Millis): D1PreparedStatement[] {
  const failEmails = (condition: SQL) => failWaitingEmails(db, condition, 'Unsubscribed meanwhile.', 'failed')
  if (list === 'alerts')
    return [
      failEmails(
        sql`kind = 'show_alert' AND recipient IN (SELECT entry FROM show_alerts WHERE email_key = ${emailKey})`,
      ),
      prepare(db, sql`DELETE FROM show_alerts WHERE email_key = ${emailKey}`),
    ]
  if (list === 'stock')
    return [
      failEmails(sql`kind = 'stock_alert' AND recipient_key = ${mailboxKey(emailKey)}`),
      prepare(db, sql`DELETE FROM stock_alerts WHERE email_key = ${emailKey}`),
    ]
  return [
    prepare(
      db,
      // Replaces a time set by an import, so that undoing the import does not subscribe the recipient again.
      sql`UPDATE subscribers SET state = 'unsubscribed', unsubscribed_at = ${now} WHERE email_key = ${emailKey}`,
    ),
    failEmails(sql`kind IN ('broadcast', 'newsletter_welcome')
      AND recipient = (SELECT email FROM subscribers WHERE email_key = ${emailKey})`),
  ]
}

/** Subscription of the owner of an unsubscribe link; the address is masked. @throws AppError `bad_token`. */
export async function readPreferences(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  token: string,
  now: Millis,
): Promise<Preferences> {
  const { list, key } = await readUnsubscribeToken(secret, token, now)
  if (list !== 'newsletter') {
    const [row] = await db.all<{ email: string }>(
      list === 'alerts'
        ? sql`SELECT min(entry) AS email FROM show_alerts WHERE email_key = ${key} GROUP BY email_key`
        : sql`SELECT min(email) AS email FROM stock_alerts WHERE email_key = ${key} GROUP BY email_key`,
    )
    return { list, email: row ? maskEmail(row.email) : '', subscribed: row !== undefined, city: null }
  }
  const [row] = await db.select().from(subscribers).where(eq(subscribers.emailKey, key))
  return {
    list,
    email: row ? maskEmail(row.email) : '',
    subscribed: row?.state === 'confirmed',
    city: row?.city ?? null,
  }
}

/**
 * Changes the city, unsubscribes, or subscribes again without another confirmation, because the link was emailed to the
 * mailbox.
 * @throws AppError `bad_token`, also if the subscriber was erased; `conflict` for subscribing a mailbox that bounced.
 */
export async function updatePreferences(
  deps: Pick<Deps, 'db' | 'secret'>,
  { token, city, subscribed }: { token: string; city?: string; subscribed?: boolean },
  now: Millis,
): Promise<Preferences> {
  const { db, secret } = deps
  const { key } = await readLinkToken(secret, 'newsletter-out', token, now)
  const changes: D1PreparedStatement[] = []
  if (city !== undefined)
    changes.push(
      prepare(
        db,
        sql`UPDATE subscribers SET city = ${city || null}, city_key = ${city ? normalizeKey(city) : null}
          WHERE email_key = ${key}`,
      ),
    )
  if (subscribed) {
    const hash = await suppressionHash(secret, key)
    if (await hasBounced(db, hash))
      throw new AppError('conflict', 'Email to this address bounced, so it cannot be subscribed.')
    changes.push(
      prepare(
        db,
        sql`UPDATE subscribers SET state = 'confirmed', consent_version = ${CONSENT_VERSION}, consent_at = ${now},
            confirmed_at = ${now}, unsubscribed_at = NULL
          WHERE email_key = ${key} AND state = 'unsubscribed'`,
      ),
      prepare(
        db,
        sql`DELETE FROM mail_stops WHERE hash = ${hash} AND reason <> 'bounced'
          AND EXISTS (SELECT 1 FROM subscribers WHERE email_key = ${key} AND state = 'confirmed')`,
      ),
    )
  }
  if (changes.length > 0) await db.$client.batch(changes)
  if (subscribed === false) await unsubscribeByLink(deps, token, now)
  const [row] = await db.select({ id: subscribers.id }).from(subscribers).where(eq(subscribers.emailKey, key))
  if (!row) throw expiredLinkError()
  return readPreferences(deps, token, now)
}
