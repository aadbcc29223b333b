import { enqueueEmailIfChanged } from '../email/outbox'
import { hasBounced } from '../email/suppressions'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { maskEmail, normalizeKey } from '../lib/email'
import { suppressionHash } from '../lib/keyed-hashes'
import { welcomeEmail } from './emails'
import { expiredLinkError, readLinkToken } from './link-tokens'
import { CONSENT_VERSION, type NewsletterDeps, readSiteName } from './newsletter'
import { newsletterUnsubscribeLinks } from './unsubscribe-links'

type Subscriber = {
  email: string
  state: 'pending' | 'confirmed' | 'unsubscribed'
  city: string | null
  consentAt: Millis
}

const findSubscriber = (d1: D1Database, emailKey: string) =>
  d1
    .prepare('SELECT email, state, city, consent_at AS consentAt FROM subscribers WHERE email_key = ?1')
    .bind(emailKey)
    .first<Subscriber>()

/**
 * The reader of the mailbox wants the newsletter (double opt-in): from now on they get it, beginning with a welcome. A
 * second press is no error; a link from before they last left is.
 * @throws AppError `bad_token`.
 */
export async function confirmSubscription(
  { db, secret, origin }: NewsletterDeps,
  token: string,
  now: Millis,
): Promise<void> {
  const d1 = db.$client
  const { key, at } = await readLinkToken(secret, 'newsletter-confirm', token, now)
  const [reader, siteName] = [await findSubscriber(d1, key), await readSiteName(d1)]
  if (!reader || reader.state === 'unsubscribed' || at < reader.consentAt) throw expiredLinkError()
  const unsubscribe = await newsletterUnsubscribeLinks({ secret, origin }, key)
  const email = welcomeEmail({ siteName, origin, unsubscribe })
  await d1.batch([
    d1
      .prepare(
        `UPDATE subscribers SET state = 'confirmed', confirmed_at = ?2
         WHERE email_key = ?1 AND state = 'pending' AND consent_at <= ?3`,
      )
      .bind(key, now, at),
    enqueueEmailIfChanged(d1, {
      to: reader.email,
      email,
      dedupeKey: `newsletter_welcome:${key}:${at}`,
      at: now,
    }),
    ...(await liftSuppressions(d1, secret, key)),
  ])
}

/** Whoever reads the mailbox and asks for its mail is written to again, whatever was known of it before. */
async function liftSuppressions(d1: D1Database, secret: string, key: string): Promise<D1PreparedStatement[]> {
  const hash = await suppressionHash(secret, key)
  return ['suppressions', 'mail_stops'].map((table) => d1.prepare(`DELETE FROM ${table} WHERE hash = ?1`).bind(hash))
}

/**
 * Ends what a mail's way out is of: the newsletter, or the news of shows. Whatever waits to be sent from it is not.
 * Pressing twice, or after everything was erased, is no error: nothing is sent, which is what was asked for.
 * @throws AppError `bad_token`.
 */
export async function unsubscribe({ db, secret }: NewsletterDeps, token: string, now: Millis): Promise<void> {
  await db.$client.batch(unsubscribeStatements(db.$client, await readUnsubscribeToken(secret, token, now), now))
}

/** The statements by which the reader of a mailbox leaves a list; whatever waits to be sent from it is not. */
export function unsubscribeStatements(
  d1: D1Database,
  { name: of, key }: MailingList,
  now: Millis,
): D1PreparedStatement[] {
  const cancelPendingSql = (condition: string) =>
    `UPDATE outbox SET state = 'failed', last_error = 'Unsubscribed meanwhile.'
     WHERE state = 'waiting' AND claimed_at IS NULL AND ${condition}`
  return of === 'newsletter'
    ? [
        d1
          .prepare(
            `UPDATE subscribers SET state = 'unsubscribed', unsubscribed_at = ?2
             WHERE email_key = ?1 AND state <> 'unsubscribed'`,
          )
          .bind(key, now),
        d1
          .prepare(
            cancelPendingSql(
              "kind IN ('broadcast', 'newsletter_welcome') AND recipient = (SELECT email FROM subscribers WHERE email_key = ?1)",
            ),
          )
          .bind(key),
      ]
    : [
        d1
          .prepare(
            cancelPendingSql(
              "kind = 'show_alert' AND recipient IN (SELECT entry FROM show_alerts WHERE email_key = ?1)",
            ),
          )
          .bind(key),
        d1.prepare('DELETE FROM show_alerts WHERE email_key = ?1').bind(key),
      ]
}

type MailingList = { name: 'newsletter' | 'alerts'; key: string }

async function readUnsubscribeToken(secret: string, token: string, now: Millis): Promise<MailingList> {
  const newsletter = await readLinkToken(secret, 'newsletter-out', token, now).catch(() => null)
  if (newsletter) return { name: 'newsletter', key: newsletter.key }
  return { name: 'alerts', key: (await readLinkToken(secret, 'alert-out', token, now)).key }
}

export type Preferences = { list: 'newsletter' | 'alerts'; email: string; subscribed: boolean; city: string | null }

/** What the holder of a mail's way out may see and change: their own address, masked, and what it gets. */
export async function readPreferences(
  { db, secret }: NewsletterDeps,
  token: string,
  now: Millis,
): Promise<Preferences> {
  const { name: of, key } = await readUnsubscribeToken(secret, token, now)
  const row =
    of === 'newsletter'
      ? await findSubscriber(db.$client, key)
      : await db.$client
          .prepare(
            "SELECT min(entry) AS email, 'confirmed' AS state, NULL AS city FROM show_alerts WHERE email_key = ?1 GROUP BY email_key",
          )
          .bind(key)
          .first<Subscriber>()
  return {
    list: of,
    email: row ? maskEmail(row.email) : '',
    subscribed: row?.state === 'confirmed',
    city: row?.city ?? null,
  }
}

/**
 * The reader says where they live, or comes back. The link came to their mailbox, so coming back needs no other mail;
 * what they agree to is written down as at the first time, and a complaint of theirs is over.
 * @throws AppError `bad_token`, also for a reader who is not there any more; `conflict` for coming back to a mailbox
 *   that bounced: nothing would arrive.
 */
export async function changePreferences(
  deps: NewsletterDeps,
  { token, city, subscribed }: { token: string; city?: string; subscribed?: boolean },
  now: Millis,
): Promise<Preferences> {
  const { db, secret } = deps
  const { key } = await readLinkToken(secret, 'newsletter-out', token, now)
  const d1 = db.$client
  const changes: D1PreparedStatement[] = []
  if (city !== undefined)
    changes.push(
      d1
        .prepare('UPDATE subscribers SET city = ?2, city_key = ?3 WHERE email_key = ?1')
        .bind(key, city || null, city ? normalizeKey(city) : null),
    )
  if (subscribed) {
    const hash = await suppressionHash(secret, key)
    if (await hasBounced(d1, hash))
      throw new AppError('conflict', 'Mail to this address came back to us, so it cannot be put on the list.')
    changes.push(
      d1
        .prepare(
          `UPDATE subscribers SET state = 'confirmed', consent_version = ?2, consent_at = ?3, confirmed_at = ?3,
             unsubscribed_at = NULL WHERE email_key = ?1 AND state = 'unsubscribed'`,
        )
        .bind(key, CONSENT_VERSION, now),
      d1
        .prepare(
          `DELETE FROM mail_stops WHERE hash = ?1 AND reason <> 'bounced'
           AND EXISTS (SELECT 1 FROM subscribers WHERE email_key = ?2 AND state = 'confirmed')`,
        )
        .bind(hash, key),
    )
  }
  if (changes.length > 0) await d1.batch(changes)
  if (subscribed === false) await unsubscribe(deps, token, now)
  if (!(await findSubscriber(d1, key))) throw expiredLinkError()
  return readPreferences(deps, token, now)
}
