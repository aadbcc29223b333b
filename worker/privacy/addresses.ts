import { recorded, writeDown } from '../audit/audit'
import { dataOfAddress, visitorsOrders, type Whose } from '../auth/by-address'
import { readParts } from '../auth/own-data'
import { ownDataPage } from '../auth/own-data-page'
import type { AddressFile, Found, HeldByAddress } from '../contract/privacy'
import { DAY, type Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { suppressionHash } from '../lib/suppression'
import { posted } from '../mail/outbox'
import { bounced } from '../mail/stops'
import { outstanding } from '../orders/outstanding'
import { type House, siteName, unknownInquiry } from './inquiries'
import { addressFileLetter } from './letters'

// Somebody without an account is known by their address alone: who sent a verse, bought as a visitor, or is on a list.
// They ask by an inquiry, and the desk hands over or erases what is kept about its address.

const KEY = "SELECT email_key FROM privacy_inquiries WHERE id = ?1 AND email <> ''"
export const SPELT = `${KEY} UNION SELECT lower(email) FROM privacy_inquiries WHERE id = ?1 AND email <> ''`
/** Who asked, ?1 their inquiry. */
export const INQUIRER: Whose = { key: KEY, spelt: SPELT, orders: visitorsOrders(SPELT) }

/** How much there is; ?1 the inquiry, ?2 now. No row once its address was erased. */
export const FOUND = `SELECT
  (SELECT count(*) FROM subscribers WHERE email_key = (${KEY})) AS newsletter,
  (SELECT count(*) FROM show_alerts WHERE email_key IS NOT NULL AND email_key = (${KEY})) AS showAlerts,
  (SELECT count(*) FROM verse_submissions WHERE lower(email) IN (${SPELT})) AS verses,
  (SELECT count(*) FROM orders WHERE id IN (${INQUIRER.orders})) AS orders,
  (SELECT count(*) FROM orders WHERE id IN (${INQUIRER.orders}) AND ${outstanding('?2')}) AS ordersUnderWay,
  (SELECT count(*) FROM outbox WHERE lower(recipient) IN (${SPELT})) AS mails,
  (SELECT count(*) FROM privacy_inquiries WHERE email_key = (${KEY})) AS inquiries
  FROM privacy_inquiries WHERE id = ?1 AND email <> ''`

type Asker = { email: string; emailKey: string; confirmedAt: Millis | null; account: string | null }
export type Act = { id: string; actorId: number; at: Millis }

/** @throws Refused `not_found`; `conflict` once the address was erased. */
export async function asker(db: D1Database, id: string): Promise<Asker> {
  const row = await db
    .prepare(
      `SELECT i.email, i.email_key AS emailKey, i.confirmed_at AS confirmedAt, users.username AS account
       FROM privacy_inquiries i LEFT JOIN users ON users.email_key = i.email_key WHERE i.id = ?1`,
    )
    .bind(id)
    .first<Asker>()
  if (!row) throw unknownInquiry()
  if (row.email === '') throw erasedAlready()
  return row
}
export const erasedAlready = () => new Refused('conflict', 'That address has been erased already.')

/** How much is kept about the address of an inquiry. @throws as `asker`. */
export async function held(db: D1Database, id: string, now: Millis): Promise<HeldByAddress> {
  const { account } = await asker(db, id)
  const found = await db.prepare(FOUND).bind(id, now).first<Found>()
  if (!found) throw erasedAlready()
  return { found, account }
}

const wholeFile = async (
  { db, origin }: Pick<House, 'db' | 'origin'>,
  id: string,
  at: Millis,
): Promise<AddressFile> => {
  const data = await readParts(db, dataOfAddress(INQUIRER), [id], at)
  return { data, page: ownDataPage(data, new URL(origin).host) }
}

/** All that is kept about the address, for the desk to hand over; written down first. @throws as `asker`. */
export async function addressFile(house: House, { id, actorId, at }: Act): Promise<AddressFile> {
  await asker(house.db, id)
  await writeDown(house.db, { actorId, action: 'address.read', subject: `inquiry:${id}`, at })
  return wholeFile(house, id, at)
}

/**
 * The same by mail to the address itself, once a day: whoever typed it, its owner reads it.
 * @throws as `asker`; Refused `conflict` where mail to it comes back.
 */
export async function mailAddressFile(house: House, { id, actorId, at }: Act): Promise<void> {
  const { db, secret } = house
  const { email, emailKey } = await asker(db, id)
  if (await bounced(db, await suppressionHash(secret, emailKey)))
    throw new Refused('conflict', 'Mail to that address comes back. Please hand the file over otherwise.')
  const { data, page } = await wholeFile(house, id, at)
  const letter = addressFileLetter({ siteName: await siteName(db), page, text: JSON.stringify(data, null, 2) })
  await db.batch([
    recorded(db, { actorId, action: 'address.mailed', subject: `inquiry:${id}`, at }),
    posted(db, { to: email, letter, dedupeKey: `inquiry-file:${id}:${Math.floor(at / DAY)}`, at }),
  ])
}
