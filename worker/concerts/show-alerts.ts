import { EMAIL_PATTERN } from '../contract/credential-rules'
import { enqueueRequestedEmail } from '../email/email-caps'
import type { Email } from '../email/outbox'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { createLinkToken, expiredLinkError, readLinkToken } from '../newsletter/link-tokens'
import { type NewsletterDeps, readSiteName } from '../newsletter/newsletter'
import { alertUnsubscribeLinks } from '../newsletter/unsubscribe-links'
import { type HashedPhone, hashPhone } from '../users/phone'
import { cityKey } from './city-key'
import { alreadyAlertedEmail, confirmAlertEmail } from './emails'

/** Keeps a wish; the same one twice is one. ?8 the account whose address it is, null for a visitor: one erased meanwhile wishes nothing. */
const INSERT_ALERT_SQL = `
  INSERT INTO show_alerts (id, entry, entry_key, email_key, city, city_key, created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?8 IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = ?8 AND email_key = ?4)
  ON CONFLICT DO NOTHING`

/**
 * Keeps a wish to be told of shows. Anything may be typed into the prompt (specification, section 5); what looks like
 * an e-mail address is mailed a link to confirm, and is told of nothing before that; one that is told already, a word
 * that it is.
 */
export async function addAlert(deps: NewsletterDeps, { entry, at }: { entry: string; at: Millis }): Promise<void> {
  const emailKey = normalizeKey(entry)
  if (EMAIL_PATTERN.test(emailKey)) return requestAlert(deps, { userId: null, email: entry.trim(), city: null, at })
  const phone = await parsePhone(deps.secret, entry)
  const entryValues = phone ? [`A phone number that ends in ${phone.last2}`, `phone:${phone.hash}`] : [entry, emailKey]
  await deps.db.$client
    .prepare(INSERT_ALERT_SQL)
    .bind(newId('alert'), ...entryValues, null, null, null, at, null)
    .run()
}

/** Of a phone number no more is kept than of a supporter's, by which an erasure finds it (auth/forgotten.ts). */
async function parsePhone(secret: string, entry: string): Promise<HashedPhone | null> {
  if (!/\p{Nd}{2}/u.test(entry)) return null
  return hashPhone(secret, entry).catch((error) => {
    if (error instanceof AppError) return null
    throw error
  })
}

/** A supporter who asked for a city is asked by mail whether they want to hear of shows there. */
export function addCityAlert(
  deps: NewsletterDeps,
  request: { userId: number | null; email: string; city: string; at: Millis },
): Promise<void> {
  return requestAlert(deps, request)
}

async function requestAlert(
  { db, secret, origin }: NewsletterDeps,
  { userId, email, city, at }: { userId: number | null; email: string; city: string | null; at: Millis },
): Promise<void> {
  const d1 = db.$client
  const emailKey = normalizeKey(email)
  const alertCityKey = city === null ? null : cityKey(city)
  const key = alertCityKey === null ? emailKey : `${emailKey} in ${alertCityKey}`
  const token = await createLinkToken(secret, 'alert-confirm', key, at)
  const siteName = await readSiteName(d1)
  const unsubscribe = await alertUnsubscribeLinks({ secret, origin }, emailKey)
  const emails: [string, Email][] = [
    ['IS NULL', confirmAlertEmail({ siteName, origin, token, city })],
    ['IS NOT NULL', alreadyAlertedEmail({ siteName, origin, city, unsubscribe })],
  ]
  await d1.batch([
    d1.prepare(INSERT_ALERT_SQL).bind(newId('alert'), email, key, emailKey, city, alertCityKey, at, userId),
    ...emails.map(([nullCheck, message]) =>
      enqueueRequestedEmail(
        d1,
        { to: email, email: message, key: `${message.kind}:${key}`, at },
        {
          when: `EXISTS (SELECT 1 FROM show_alerts WHERE entry_key = ?14 AND confirmed_at ${nullCheck})`,
          values: [key],
        },
      ),
    ),
  ])
}

/**
 * The reader of the mailbox wants to be told. A second press is no error.
 * @throws AppError `bad_token`, also when the wish was taken back meanwhile.
 */
export async function confirmAlert({ db, secret }: NewsletterDeps, token: string, now: Millis): Promise<void> {
  const { key } = await readLinkToken(secret, 'alert-confirm', token, now)
  const { results } = await db.$client
    .prepare('UPDATE show_alerts SET confirmed_at = coalesce(confirmed_at, ?2) WHERE entry_key = ?1 RETURNING id')
    .bind(key, now)
    .all()
  if (results.length === 0) throw expiredLinkError()
}
