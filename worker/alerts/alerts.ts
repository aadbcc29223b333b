import { type KeptPhone, keepPhone } from '../auth/phone'
import { EMAIL_SHAPE } from '../contract/email-shape'
import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { askedFor } from '../mail/caps'
import type { Letter } from '../mail/outbox'
import { type House, nameOfSite } from '../newsletter/newsletter'
import { deadLink, linkToken, readLink } from '../newsletter/tokens'
import { alertWayOut } from '../newsletter/way-out'
import { cityKey } from './city-key'
import { alreadyToldLetter, confirmAlertLetter } from './letters'

/** Keeps a wish; the same one twice is one. ?8 the account whose address it is, null for a visitor: one erased meanwhile wishes nothing. */
const WISH = `
  INSERT INTO show_alerts (id, entry, entry_key, email_key, city, city_key, created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?8 IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = ?8 AND email_key = ?4)
  ON CONFLICT DO NOTHING`

/**
 * Keeps a wish to be told of shows. Anything may be typed into the prompt (specification, section 5); what looks like
 * an e-mail address is mailed a link to confirm, and is told of nothing before that; one that is told already, a word
 * that it is.
 */
export async function addAlert(house: House, { entry, at }: { entry: string; at: Millis }): Promise<void> {
  const emailKey = fold(entry)
  if (EMAIL_SHAPE.test(emailKey)) return wish(house, { userId: null, email: entry.trim(), city: null, at })
  const phone = await phoneIn(house.secret, entry)
  const kept = phone ? [`A phone number that ends in ${phone.last2}`, `phone:${phone.hash}`] : [entry, emailKey]
  await house.db.$client
    .prepare(WISH)
    .bind(newId('alert'), ...kept, null, null, null, at, null)
    .run()
}

/** Of a phone number no more is kept than of a supporter's, by which an erasure finds it (auth/forgotten.ts). */
async function phoneIn(secret: string, entry: string): Promise<KeptPhone | null> {
  if (!/\p{Nd}{2}/u.test(entry)) return null
  return keepPhone(secret, entry).catch((error) => {
    if (error instanceof Refused) return null
    throw error
  })
}

/** A supporter who asked for a city is asked by mail whether they want to hear of shows there. */
export function addCityAlert(
  house: House,
  asked: { userId: number | null; email: string; city: string; at: Millis },
): Promise<void> {
  return wish(house, asked)
}

async function wish(
  { db, secret, origin }: House,
  { userId, email, city, at }: { userId: number | null; email: string; city: string | null; at: Millis },
): Promise<void> {
  const d1 = db.$client
  const emailKey = fold(email)
  const where = city === null ? null : cityKey(city)
  const key = where === null ? emailKey : `${emailKey} in ${where}`
  const token = await linkToken(secret, 'alert-confirm', key, at)
  const siteName = await nameOfSite(d1)
  const unsubscribe = await alertWayOut({ secret, origin }, emailKey)
  const letters: [string, Letter][] = [
    ['IS NULL', confirmAlertLetter({ siteName, origin, token, city })],
    ['IS NOT NULL', alreadyToldLetter({ siteName, origin, city, unsubscribe })],
  ]
  await d1.batch([
    d1.prepare(WISH).bind(newId('alert'), email, key, emailKey, city, where, at, userId),
    ...letters.map(([is, letter]) =>
      askedFor(
        d1,
        { to: email, letter, key: `${letter.kind}:${key}`, at },
        { when: `EXISTS (SELECT 1 FROM show_alerts WHERE entry_key = ?14 AND confirmed_at ${is})`, values: [key] },
      ),
    ),
  ])
}

/**
 * The reader of the mailbox wants to be told. A second press is no error.
 * @throws Refused `bad_token`, also when the wish was taken back meanwhile.
 */
export async function confirmAlert({ db, secret }: House, token: string, now: Millis): Promise<void> {
  const { key } = await readLink(secret, 'alert-confirm', token, now)
  const { results } = await db.$client
    .prepare('UPDATE show_alerts SET confirmed_at = coalesce(confirmed_at, ?2) WHERE entry_key = ?1 RETURNING id')
    .bind(key, now)
    .all()
  if (results.length === 0) throw deadLink()
}
