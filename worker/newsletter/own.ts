import type { OwnNewsletter } from '../contract/lists'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import type { House } from './newsletter'
import { leaving } from './preferences'
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
 * Whether the account's own address gets the newsletter. Of an address that its account has not confirmed nothing is
 * said: it may be somebody else's.
 */
export async function ownNewsletter({ db, secret, origin }: House, userId: number): Promise<OwnNewsletter> {
  const row = await ownRow(db.$client, userId)
  if (!row?.key) return { state: 'unconfirmed', city: null, preferences: null }
  if (row.state === 'pending') return { state: 'asked', city: null, preferences: null }
  if (row.state !== 'confirmed') return { state: 'off', city: null, preferences: null }
  const { page } = await newsletterWayOut({ secret, origin }, row.key)
  return { state: 'on', city: row.city, preferences: page.slice(origin.length) }
}

/** Takes the account's own address off the list. @throws Refused `forbidden` while that address is not confirmed. */
export async function leaveOwn({ db }: House, userId: number, now: Millis): Promise<void> {
  const row = await ownRow(db.$client, userId)
  if (!row?.key) throw new Refused('forbidden', 'Please confirm your address first: we mailed you a link.')
  await db.$client.batch(leaving(db.$client, { of: 'newsletter', key: row.key }, now))
}
