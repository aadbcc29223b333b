import type { OwnNewsletter } from '../contract/lists'
import type { Millis } from '../lib/clock'
import { mailboxKey } from '../lib/mailbox'
import { Refused } from '../lib/refused'
import { suppressionHash } from '../lib/suppression'
import { mayAsk } from '../mail/caps'
import { bounced } from '../mail/stops'
import type { House } from './newsletter'
import { leaving } from './preferences'
import { CONFIRM_LIFE } from './tokens'
import { newsletterWayOut } from './way-out'

type Row = { key: string | null; state: 'pending' | 'confirmed' | 'unsubscribed' | null; city: string | null }

/** The account's own address, where it is confirmed, and what the list knows of it. */
const ownRow = (d1: D1Database, userId: number) =>
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
export async function ownNewsletter(
  { db, secret, origin }: House,
  userId: number,
  now: Millis,
): Promise<OwnNewsletter> {
  const d1 = db.$client
  const row = await ownRow(d1, userId)
  const is = (state: OwnNewsletter['state'], canAsk = false) => ({ state, canAsk, city: null, preferences: null })
  if (!row?.key) return is('unconfirmed')
  if (await bounced(d1, await suppressionHash(secret, row.key))) return is('bounced')
  if (row.state === 'confirmed') {
    const { page } = await newsletterWayOut({ secret, origin }, row.key)
    return { ...is('on'), city: row.city, preferences: page.slice(origin.length) }
  }
  const waits = row.state === 'pending' && (await questionWaits(d1, row.key, now))
  return is(waits ? 'asked' : 'off', await mayAsk(d1, row.key, now))
}

/** Whether a mail whose button still works has gone, or is about to go, to this folded address. */
async function questionWaits(d1: D1Database, key: string, now: Millis): Promise<boolean> {
  const row = await d1
    .prepare(
      `SELECT 1 FROM outbox o JOIN subscribers s ON s.email_key = ?1 AND o.created_at >= s.consent_at
       WHERE o.recipient_key = ?2 AND o.created_at > ?3 AND o.state <> 'failed'
         AND substr(o.dedupe_key, 1, length(?4)) = ?4 LIMIT 1`,
    )
    .bind(key, mailboxKey(key), now - CONFIRM_LIFE, `newsletter_confirm:${key}:`)
    .first()
  return row !== null
}

/** Takes the account's own address off the list. @throws Refused `forbidden` while that address is not confirmed. */
export async function leaveOwn({ db }: House, userId: number, now: Millis): Promise<void> {
  const row = await ownRow(db.$client, userId)
  if (!row?.key) throw new Refused('forbidden', 'Please confirm your address first: we mailed you a link.')
  await db.$client.batch(leaving(db.$client, { of: 'newsletter', key: row.key }, now))
}
