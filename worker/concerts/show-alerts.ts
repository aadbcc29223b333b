import { sql } from 'drizzle-orm'
import { UNSUBSCRIBE_PLACEHOLDER } from '../broadcasts/emails'
import { isEmail } from '../contract/credential-rules'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { type FormUser, ownsAddress, requestedEmailQuotas } from '../email/email-quotas'
import {
  createLinkToken,
  expiredLinkError,
  readLinkToken,
  SUBSCRIPTION_REASON,
  unsubscribeLinks,
} from '../email/link-tokens'
import { failWaitingEmails } from '../email/outbox'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { enqueueListSignupEmail } from '../newsletter/newsletter'
import { readSiteName } from '../site/site'
import { type HashedPhone, hashPhone } from '../users/phone'
import { type AnnouncedShow, alreadyAlertedEmail, confirmAlertEmail, showAlertEmail } from './emails'

type AlertDeps = Pick<Deps, 'db' | 'secret' | 'origin'>
type EmailAlertRequest = FormUser & { email: string; city: string | null; at: Millis }

/** ?8 is the account that requests the alert, or null. An account that was erased meanwhile gets no alert. */
const INSERT_ALERT_SQL = `
  INSERT INTO show_alerts (id, entry, entry_key, email_key, city, city_key, created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?8 IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = ?8 AND email_key = ?4)
  ON CONFLICT DO NOTHING`

/** Stores a request for alerts of all shows. The form accepts any text; email addresses get a confirmation link. */
export async function addAlert(
  deps: AlertDeps,
  { entry, network, at }: { entry: string; network: string; at: Millis },
): Promise<void> {
  const emailKey = normalizeKey(entry)
  if (isEmail(emailKey)) return addEmailAlert(deps, { userId: null, network, email: entry.trim(), city: null, at })
  const phone = await hashPhoneEntry(deps.secret, entry)
  const entryValues = phone ? [`A phone number that ends in ${phone.last2}`, `phone:${phone.hash}`] : [entry, emailKey]
  await deps.db.$client
    .prepare(INSERT_ALERT_SQL)
    .bind(newId('alert'), ...entryValues, null, null, null, at, null)
    .run()
}

/** Hash of a phone number, by which an erasure finds the alert; null if the entry is not a phone number. */
async function hashPhoneEntry(secret: string, entry: string): Promise<HashedPhone | null> {
  if (!/\p{Nd}{2}/u.test(entry)) return null
  return hashPhone(secret, entry).catch((error) => {
    if (error instanceof AppError) return null
    throw error
  })
}

/**
 * Stores an alert for shows in a city, or everywhere if `city` is null. Emails a confirmation link, or for a confirmed
 * alert that it is already active.
 */
export async function addEmailAlert(
  deps: AlertDeps,
  { userId, network, email, city, at }: EmailAlertRequest,
): Promise<void> {
  const { db, secret, origin } = deps
  const emailKey = normalizeKey(email)
  const alertCityKey = city === null ? null : cityKey(city)
  const entryKey = alertCityKey === null ? emailKey : `${emailKey} in ${alertCityKey}`
  const token = await createLinkToken(secret, 'alert-confirm', entryKey, at)
  const siteName = await readSiteName(db)
  const unsubscribe = await unsubscribeLinks(deps, 'alerts', emailKey)
  const quotas = await requestedEmailQuotas(deps, email, { userId, network })
  // A stranger's text is not sent to someone else's address.
  const content = { siteName, origin, city: (await ownsAddress(db, email, userId)) ? city : null }
  const isConfirmed = sql`(SELECT confirmed_at IS NOT NULL FROM show_alerts WHERE entry_key = ${entryKey})`
  await db.$client.batch([
    db.$client
      .prepare(INSERT_ALERT_SQL)
      .bind(newId('alert'), email, entryKey, emailKey, city, alertCityKey, at, userId),
    ...enqueueListSignupEmail(db, {
      to: email,
      email: confirmAlertEmail({ ...content, token }),
      key: entryKey,
      when: sql`${isConfirmed} = 0`,
      at,
      quotas,
    }),
    ...enqueueListSignupEmail(db, {
      to: email,
      email: alreadyAlertedEmail({ ...content, unsubscribe }),
      key: entryKey,
      when: sql`${isConfirmed} = 1`,
      at,
      quotas,
    }),
  ])
}

/** Activates an alert. Idempotent. @throws AppError `bad_token`, also for a deleted alert. */
export async function confirmAlert({ db, secret }: AlertDeps, token: string, now: Millis): Promise<void> {
  const { key } = await readLinkToken(secret, 'alert-confirm', token, now)
  const rows = await db.all(
    sql`UPDATE show_alerts SET confirmed_at = coalesce(confirmed_at, ${now}) WHERE entry_key = ${key} RETURNING id`,
  )
  if (rows.length === 0) throw expiredLinkError()
}

/**
 * Key for comparing cities: 'Tampa,FL' and 'Tampa , FL' are equal. When a broadcast selects recipients, the part after
 * the comma may be missing on either side.
 */
const cityKey = (city: string): string => normalizeKey(city.replace(/\s*,\s*/g, ', '))

/**
 * Statement for the batch that creates a show: schedules its broadcast, once per show, to confirmed alerts for its city
 * and for all cities. A `broadcast` queue message with `announcementId` starts it immediately.
 */
export function announceShow(
  db: Db,
  {
    show,
    siteName,
    currency,
    origin,
    at,
  }: { show: AnnouncedShow; siteName: string; currency: string; origin: string; at: Millis },
): D1PreparedStatement {
  const unsubscribe = {
    reason: SUBSCRIPTION_REASON.alerts,
    pageUrl: UNSUBSCRIBE_PLACEHOLDER,
    oneClickUrl: UNSUBSCRIBE_PLACEHOLDER,
  }
  const { subject, text, html } = showAlertEmail({ siteName, currency, origin, show, unsubscribe })
  return db.$client
    .prepare(
      `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, audience_value, audience_key, origin, state, scheduled_at, created_at)
       VALUES (?1, ?2, '', ?3, ?4, 'alerts', ?5, ?6, ?7, 'scheduled', ?8, ?8) ON CONFLICT DO NOTHING`,
    )
    .bind(announcementId(show), subject, text, html, show.city, cityKey(show.city), origin, at)
}

/** Statements that cancel the announcement of a removed show. */
export function cancelAnnouncement(db: Db, { id, at }: { id: string; at: Millis }): D1PreparedStatement[] {
  const broadcastId = announcementId({ id })
  return [
    prepare(
      db,
      sql`UPDATE broadcasts SET state = 'cancelled', finished_at = ${at}
        WHERE id = ${broadcastId} AND state IN ('scheduled', 'sending')`,
    ),
    failWaitingEmails(db, sql`broadcast_id = ${broadcastId}`, 'The show was removed from the calendar.', 'failed'),
  ]
}

/** Statement that schedules a canceled announcement again if no email was sent and the show is still to come. */
export function restoreAnnouncement(db: Db, { id, at }: { id: string; at: Millis }): D1PreparedStatement {
  return prepare(
    db,
    sql`UPDATE broadcasts SET state = 'scheduled', finished_at = NULL
      WHERE id = ${announcementId({ id })} AND state = 'cancelled' AND started_at IS NULL
        AND EXISTS (SELECT 1 FROM concerts WHERE concerts.id = ${id} AND starts_at > ${at})`,
  )
}

/** Id of the broadcast that announces a show. */
export const announcementId = ({ id }: { id: string }): string => `show:${id}`
