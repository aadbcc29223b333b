import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import type { MyNewsletter, SubscribeResult } from '../contract/newsletter'
import { POINTS } from '../contract/points'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { enqueueWithinQuotas, ownEmailQuotas, requestedEmailQuotas } from '../email/email-quotas'
import {
  CONFIRM_TTL_MS,
  createLinkToken,
  expiredLinkError,
  readLinkToken,
  unsubscribeLinks,
} from '../email/link-tokens'
import { type Email, enqueueEmail } from '../email/outbox'
import { outbox } from '../email/outbox.table'
import { hasBounced } from '../email/suppressions'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { mailboxKey, normalizeKey } from '../lib/email'
import { suppressionHash } from '../lib/keyed-hashes'
import { completedMissionsSql, parseCompletedMissions } from '../missions/missions'
import { hasQuotasLeft, type QuotaUse } from '../quotas/quotas'
import { readSiteName } from '../site/site'
import { users } from '../users/users.table'
import { alreadySubscribedEmail, confirmNewsletterEmail, welcomeEmail } from './emails'
import { CONSENT_VERSION, subscribers } from './newsletter.table'
import { unsubscribeStatements } from './preferences'

/** Repeated requests within this window cause one email. */
const DEDUPE_WINDOW_MS: Millis = 10 * MINUTE_MS

type ListSignupEmail = {
  to: string
  email: Email
  key: string
  dedupeSuffix?: SQL
  when: SQL
  at: Millis
  quotas: readonly QuotaUse[]
}

/**
 * Statements that enqueue an email requested in the public form of a mailing list, within `quotas`. `key` and
 * `dedupeSuffix` identify repeated requests.
 */
export function enqueueListSignupEmail(db: Db, { key, at, ...options }: ListSignupEmail): D1PreparedStatement[] {
  const dedupeKey = `${options.email.kind}:${key}:${Math.floor(at / DEDUPE_WINDOW_MS)}`
  return enqueueWithinQuotas(db, { ...options, dedupeKey, at })
}

/**
 * Statement that adds an address as `pending`, with the consent. A pending or confirmed address is not changed; an
 * unsubscribed one becomes pending again. Returns the id of a row that it adds or changes.
 */
export function upsertSubscriber(db: Db, { email, at }: { email: string; at: Millis }) {
  const consent = { email, state: 'pending', consentVersion: CONSENT_VERSION, consentAt: at } as const
  return db
    .insert(subscribers)
    .values({ ...consent, id: newId('sub'), emailKey: normalizeKey(email), createdAt: at })
    .onConflictDoUpdate({
      target: subscribers.emailKey,
      set: { ...consent, confirmedAt: sql`null`, unsubscribedAt: sql`null` },
      setWhere: eq(subscribers.state, 'unsubscribed'),
    })
    .returning({ id: subscribers.id })
}

/** ?4 normalized address, ?5 now. Awards points for the caller's own address, once per account. */
const AWARD_POINTS_SQL = `
  WITH ${CALLER_CTE} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT users.id, 'newsletter_signup', 'newsletter_signup', 'Joined the newsletter', ${POINTS.newsletter_signup}, ?5
  FROM caller JOIN users ON users.id = caller.id WHERE users.email_key = ?4
  ON CONFLICT DO NOTHING RETURNING points`

/**
 * ?4 hash, ?5 normalized address. A caller who subscribes their own confirmed address lifts any suppression except one
 * after a bounce.
 */
const LIFT_SUPPRESSION_SQL = `
  WITH ${CALLER_CTE} DELETE FROM mail_stops WHERE hash = ?4 AND reason <> 'bounced' AND EXISTS (
    SELECT 1 FROM caller JOIN users ON users.id = caller.id
    WHERE users.email_key = ?5 AND users.email_verified_at IS NOT NULL)`

/** SQL condition: the consent was given on another platform. */
const IS_IMPORTED = "state = 'confirmed' AND consent_version GLOB 'import-*'"

/**
 * ?4 consent version, ?5 normalized address, ?6 now. A caller who subscribes their own confirmed address consents
 * immediately; other addresses consent by the emailed link.
 */
const REPLACE_IMPORTED_CONSENT_SQL = `
  WITH ${CALLER_CTE} UPDATE subscribers SET consent_version = ?4, consent_at = ?6, confirmed_at = ?6
  WHERE email_key = ?5 AND ${IS_IMPORTED} AND EXISTS (
    SELECT 1 FROM caller JOIN users ON users.id = caller.id
    WHERE users.email_key = ?5 AND users.email_verified_at IS NOT NULL)`

/**
 * Adds an address to the newsletter. It gets a confirmation link, also if it was imported, or an email that it is
 * already on the list; the response does not reveal which. A caller who subscribes their own address earns points.
 */
export async function subscribeToNewsletter(
  deps: Pick<Deps, 'db' | 'secret' | 'origin'>,
  { email, at, session, network }: { email: string; at: Millis; session: SessionPayload | null; network: string },
): Promise<SubscribeResult> {
  const { db, secret, origin } = deps
  const d1 = db.$client
  const emailKey = normalizeKey(email)
  const siteName = await readSiteName(db)
  const token = await createLinkToken(secret, 'newsletter-confirm', emailKey, at)
  const unsubscribe = await unsubscribeLinks(deps, 'newsletter', emailKey)
  const quotas = await requestedEmailQuotas(deps, email, { userId: session?.userId ?? null, network })
  const needsLink = sql.raw(`(state = 'pending' OR (${IS_IMPORTED}))`)
  const isSubscriber = (condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM subscribers WHERE email_key = ${emailKey} AND ${condition})`
  const emails = [
    { message: confirmNewsletterEmail({ siteName, origin, token }), when: isSubscriber(needsLink) },
    {
      message: alreadySubscribedEmail({ siteName, origin, unsubscribe }),
      when: isSubscriber(sql`state = 'confirmed' AND NOT ${needsLink}`),
    },
  ]
  const { sql: upsertSql, params } = upsertSubscriber(db, { email, at }).toSQL()
  const [, award, completed] = await d1.batch([
    d1.prepare(upsertSql).bind(...params),
    d1.prepare(AWARD_POINTS_SQL).bind(...callerBinds(session), emailKey, at),
    d1
      .prepare(`SELECT ${completedMissionsSql("'newsletter_signup'", '?2')} AS missions`)
      .bind(session?.userId ?? 0, at),
    d1.prepare(LIFT_SUPPRESSION_SQL).bind(...callerBinds(session), await suppressionHash(secret, emailKey), emailKey),
    d1.prepare(REPLACE_IMPORTED_CONSENT_SQL).bind(...callerBinds(session), CONSENT_VERSION, emailKey, at),
    ...emails.flatMap(({ message, when }) =>
      enqueueListSignupEmail(db, {
        to: email,
        email: message,
        key: emailKey,
        // Consenting again invalidates earlier links, so it needs another email.
        dedupeSuffix: sql`(SELECT ':' || consent_at FROM subscribers WHERE email_key = ${emailKey})`,
        when,
        at,
        quotas,
      }),
    ),
  ])
  const [awardRow] = (award?.results ?? []) as { points: number }[]
  const [missionsRow] = (completed?.results ?? []) as { missions: string }[]
  const pointsEarned = awardRow?.points ?? 0
  const missions = parseCompletedMissions(missionsRow?.missions ?? '[]')
  return pointsEarned > 0 && missions.length > 0 ? { pointsEarned, missions } : { pointsEarned }
}

/**
 * Confirms a pending subscription (double opt-in) or replaces an imported consent, sends the welcome email and lifts
 * suppressions. Idempotent.
 * @throws AppError `bad_token`, also for a link from before the last consent or unsubscribe.
 */
export async function confirmSubscription(
  deps: Pick<Deps, 'db' | 'secret' | 'origin'>,
  token: string,
  now: Millis,
): Promise<void> {
  const { db, secret, origin } = deps
  const d1 = db.$client
  const { key, at } = await readLinkToken(secret, 'newsletter-confirm', token, now)
  const [subscriber] = await db.select().from(subscribers).where(eq(subscribers.emailKey, key))
  if (!subscriber || subscriber.state === 'unsubscribed' || at < subscriber.consentAt) throw expiredLinkError()
  const siteName = await readSiteName(db)
  const unsubscribe = await unsubscribeLinks(deps, 'newsletter', key)
  const hash = await suppressionHash(secret, key)
  await d1.batch([
    d1
      .prepare(
        `UPDATE subscribers SET state = 'confirmed', confirmed_at = ?2,
           consent_version = iif(${IS_IMPORTED}, ?4, consent_version), consent_at = iif(${IS_IMPORTED}, ?3, consent_at)
         WHERE email_key = ?1 AND (state = 'pending' OR (${IS_IMPORTED})) AND consent_at <= ?3`,
      )
      .bind(key, now, at, CONSENT_VERSION),
    enqueueEmail(db, {
      to: subscriber.email,
      email: welcomeEmail({ siteName, origin, unsubscribe }),
      dedupeKey: `newsletter_welcome:${key}:${at}`,
      at: now,
      ifChanged: true,
    }),
    d1.prepare('DELETE FROM suppressions WHERE hash = ?1').bind(hash),
    d1.prepare('DELETE FROM mail_stops WHERE hash = ?1').bind(hash),
  ])
}

/** The account's address, null until confirmed, and its subscription. */
async function findAccountSubscription(db: Db, userId: number) {
  const [row] = await db
    .select({
      key: sql<string | null>`iif(${users.emailVerifiedAt} IS NULL, NULL, ${users.emailKey})`,
      state: subscribers.state,
      city: subscribers.city,
    })
    .from(users)
    .leftJoin(subscribers, eq(subscribers.emailKey, users.emailKey))
    .where(eq(users.id, userId))
  return row
}

/**
 * Newsletter status of the account's own address. An unconfirmed address may belong to someone else, so nothing is
 * revealed about it.
 */
export async function readAccountSubscription(
  deps: Pick<Deps, 'db' | 'secret' | 'origin'>,
  userId: number,
  now: Millis,
): Promise<MyNewsletter> {
  const { db, secret, origin } = deps
  const row = await findAccountSubscription(db, userId)
  const status = (state: MyNewsletter['state'], canAsk = false) => ({ state, canAsk, city: null, preferences: null })
  if (!row?.key) return status('unconfirmed')
  if (await hasBounced(db, await suppressionHash(secret, row.key))) return status('bounced')
  if (row.state === 'confirmed') {
    const { pageUrl } = await unsubscribeLinks(deps, 'newsletter', row.key)
    return { ...status('on'), city: row.city, preferences: pageUrl.slice(origin.length) }
  }
  const isPending = row.state === 'pending' && (await isConfirmationPending(db, row.key, now))
  return status(
    isPending ? 'asked' : 'off',
    await hasQuotasLeft({ db }, await ownEmailQuotas(secret, row.key, true), now),
  )
}

/** Whether a confirmation email with a valid link was sent or is waiting. */
async function isConfirmationPending(db: Db, key: string, now: Millis): Promise<boolean> {
  const wasSentAfterConsent = sql`EXISTS (SELECT 1 FROM subscribers subscriber WHERE subscriber.email_key = ${key}
    AND lower(subscriber.email) = lower(${outbox.recipient}) AND subscriber.consent_at <= ${outbox.createdAt})`
  const emailCount = await db.$count(
    outbox,
    and(
      eq(outbox.kind, 'newsletter_confirm'),
      eq(outbox.recipientKey, mailboxKey(key)),
      gt(outbox.createdAt, now - CONFIRM_TTL_MS),
      ne(outbox.state, 'failed'),
      wasSentAfterConsent,
    ),
  )
  return emailCount > 0
}

/** Unsubscribes the account's own address. @throws AppError `forbidden` while it is unconfirmed. */
export async function unsubscribeAccount({ db }: Pick<Deps, 'db'>, userId: number, now: Millis): Promise<void> {
  const row = await findAccountSubscription(db, userId)
  if (!row?.key) throw new AppError('forbidden', 'Please confirm your email first. We emailed you a link.')
  await db.$client.batch(unsubscribeStatements(db, 'newsletter', row.key, now))
}
