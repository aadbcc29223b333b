import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { maskedAddress } from '../lib/masked'
import { Refused } from '../lib/refused'
import { suppressionHash } from '../lib/suppression'
import { postedIfChanged } from '../mail/outbox'
import { bounced } from '../mail/stops'
import { welcomeLetter } from './letters'
import { CONSENT_VERSION, type House, nameOfSite } from './newsletter'
import { deadLink, readLink } from './tokens'
import { newsletterWayOut } from './way-out'

type Reader = { email: string; state: 'pending' | 'confirmed' | 'unsubscribed'; city: string | null; consentAt: Millis }

const readerOf = (d1: D1Database, emailKey: string) =>
  d1
    .prepare('SELECT email, state, city, consent_at AS consentAt FROM subscribers WHERE email_key = ?1')
    .bind(emailKey)
    .first<Reader>()

/**
 * The reader of the mailbox wants the newsletter (double opt-in): from now on they get it, beginning with a welcome. A
 * second press is no error; a link from before they last left is.
 * @throws Refused `bad_token`.
 */
export async function confirm({ db, secret, origin }: House, token: string, now: Millis): Promise<void> {
  const d1 = db.$client
  const { key, at } = await readLink(secret, 'newsletter-confirm', token, now)
  const [reader, siteName] = [await readerOf(d1, key), await nameOfSite(d1)]
  if (!reader || reader.state === 'unsubscribed' || at < reader.consentAt) throw deadLink()
  const unsubscribe = await newsletterWayOut({ secret, origin }, key)
  const letter = welcomeLetter({ siteName, origin, unsubscribe })
  await d1.batch([
    d1
      .prepare(
        `UPDATE subscribers SET state = 'confirmed', confirmed_at = ?2
         WHERE email_key = ?1 AND state = 'pending' AND consent_at <= ?3`,
      )
      .bind(key, now, at),
    postedIfChanged(d1, { to: reader.email, letter, dedupeKey: `newsletter_welcome:${key}:${at}`, at: now }),
    ...(await writtenToAgain(d1, secret, key)),
  ])
}

/** Whoever reads the mailbox and asks for its mail is written to again, whatever was known of it before. */
async function writtenToAgain(d1: D1Database, secret: string, key: string): Promise<D1PreparedStatement[]> {
  const hash = await suppressionHash(secret, key)
  return ['suppressions', 'mail_stops'].map((table) => d1.prepare(`DELETE FROM ${table} WHERE hash = ?1`).bind(hash))
}

/**
 * Ends what a mail's way out is of: the newsletter, or the news of shows. Whatever waits to be sent from it is not.
 * Pressing twice, or after everything was erased, is no error: nothing is sent, which is what was asked for.
 * @throws Refused `bad_token`.
 */
export async function unsubscribe({ db, secret }: House, token: string, now: Millis): Promise<void> {
  await db.$client.batch(leaving(db.$client, await listOf(secret, token, now), now))
}

/** The statements by which the reader of a mailbox leaves a list; whatever waits to be sent from it is not. */
export function leaving(d1: D1Database, { of, key }: List, now: Millis): D1PreparedStatement[] {
  const unsent = (which: string) =>
    `UPDATE outbox SET state = 'failed', last_error = 'Unsubscribed meanwhile.'
     WHERE state = 'waiting' AND claimed_at IS NULL AND ${which}`
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
            unsent(
              "kind IN ('broadcast', 'newsletter_welcome') AND recipient = (SELECT email FROM subscribers WHERE email_key = ?1)",
            ),
          )
          .bind(key),
      ]
    : [
        d1
          .prepare(unsent("kind = 'show_alert' AND recipient IN (SELECT entry FROM show_alerts WHERE email_key = ?1)"))
          .bind(key),
        d1.prepare('DELETE FROM show_alerts WHERE email_key = ?1').bind(key),
      ]
}

type List = { of: 'newsletter' | 'alerts'; key: string }

async function listOf(secret: string, token: string, now: Millis): Promise<List> {
  const newsletter = await readLink(secret, 'newsletter-out', token, now).catch(() => null)
  if (newsletter) return { of: 'newsletter', key: newsletter.key }
  return { of: 'alerts', key: (await readLink(secret, 'alert-out', token, now)).key }
}

export type Preferences = { list: 'newsletter' | 'alerts'; email: string; subscribed: boolean; city: string | null }

/** What the holder of a mail's way out may see and change: their own address, masked, and what it gets. */
export async function preferences({ db, secret }: House, token: string, now: Millis): Promise<Preferences> {
  const { of, key } = await listOf(secret, token, now)
  const row =
    of === 'newsletter'
      ? await readerOf(db.$client, key)
      : await db.$client
          .prepare(
            "SELECT min(entry) AS email, 'confirmed' AS state, NULL AS city FROM show_alerts WHERE email_key = ?1 GROUP BY email_key",
          )
          .bind(key)
          .first<Reader>()
  return {
    list: of,
    email: row ? maskedAddress(row.email) : '',
    subscribed: row?.state === 'confirmed',
    city: row?.city ?? null,
  }
}

/**
 * The reader says where they live, or comes back. The link came to their mailbox, so coming back needs no other mail;
 * what they agree to is written down as at the first time, and a complaint of theirs is over.
 * @throws Refused `bad_token`, also for a reader who is not there any more; `conflict` for coming back to a mailbox
 *   that bounced: nothing would arrive.
 */
export async function changePreferences(
  house: House,
  { token, city, subscribed }: { token: string; city?: string; subscribed?: boolean },
  now: Millis,
): Promise<Preferences> {
  const { db, secret } = house
  const { key } = await readLink(secret, 'newsletter-out', token, now)
  const d1 = db.$client
  const changes: D1PreparedStatement[] = []
  if (city !== undefined)
    changes.push(
      d1
        .prepare('UPDATE subscribers SET city = ?2, city_key = ?3 WHERE email_key = ?1')
        .bind(key, city || null, city ? fold(city) : null),
    )
  if (subscribed) {
    const hash = await suppressionHash(secret, key)
    if (await bounced(d1, hash))
      throw new Refused('conflict', 'Mail to this address came back to us, so it cannot be put on the list.')
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
  if (subscribed === false) await unsubscribe(house, token, now)
  if (!(await readerOf(d1, key))) throw deadLink()
  return preferences(house, token, now)
}
