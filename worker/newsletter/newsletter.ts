import { eq, sql } from 'drizzle-orm'
import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import { POINTS } from '../contract/points'
import type { Db } from '../db/client'
import { enqueueRequestedEmail } from '../email/email-caps'
import type { Email } from '../email/outbox'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { suppressionHash } from '../lib/keyed-hashes'
import { alreadySubscribedEmail, confirmNewsletterEmail } from './emails'
import { createLinkToken } from './link-tokens'
import { subscribers } from './newsletter.table'
import { newsletterUnsubscribeLinks } from './unsubscribe-links'

/** The wording beside the form that a subscriber agrees to; a new wording gets a new name (ruling 27). */
export const CONSENT_VERSION = 'newsletter-2025-07-18'

export type NewsletterDeps = { db: Db; secret: string; origin: string }

/**
 * The statement that puts an address down for the newsletter, for a call of its own or for a batch with the mail that
 * asks for confirmation. A new address and one that had unsubscribed wait for that confirmation, with what they agreed
 * to and when; one that waits already, or is confirmed, stays as it is. Returns a row when there is something to
 * confirm: which of the cases it was is never the caller's to know.
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

/** Pays a supporter for their own address: ?4 folded address, ?5 now. Once an account, whatever becomes of it. */
const AWARD_POINTS_SQL = `
  WITH ${CALLER_CTE} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT users.id, 'newsletter_signup', 'newsletter_signup', 'Joined the newsletter', ${POINTS.newsletter_signup}, ?5
  FROM caller JOIN users ON users.id = caller.id WHERE users.email_key = ?4
  ON CONFLICT DO NOTHING RETURNING points`

/**
 * Who is logged in and asks for mail to their own confirmed address is asked again by mail, although they once called
 * ours spam: ?4 hash, ?5 folded address. One that bounced stays: no mail would arrive.
 */
const LIFT_SUPPRESSION_SQL = `
  WITH ${CALLER_CTE} DELETE FROM mail_stops WHERE hash = ?4 AND reason <> 'bounced' AND EXISTS (
    SELECT 1 FROM caller JOIN users ON users.id = caller.id
    WHERE users.email_key = ?5 AND users.email_verified_at IS NOT NULL)`

/** Who left and comes back at once agrees anew, and links from before are dead: that is another mail. ?14 folded address. */
const CONSENT_AT_SQL = "(SELECT ':' || consent_at FROM subscribers WHERE email_key = ?14)"

/**
 * Puts an address down for the newsletter and mails it, all in one batch: a link to confirm, or to a reader already on
 * the list a word that they are. Known and new addresses are answered alike; a supporter who subscribes the account's
 * own address is paid.
 */
export async function subscribe(
  { db, secret, origin }: NewsletterDeps,
  { email, at, session }: { email: string; at: Millis; session: SessionPayload | null },
): Promise<{ pointsEarned: number }> {
  const d1 = db.$client
  const emailKey = normalizeKey(email)
  const siteName = await readSiteName(d1)
  const token = await createLinkToken(secret, 'newsletter-confirm', emailKey, at)
  const emails: Record<string, Email> = {
    pending: confirmNewsletterEmail({ siteName, origin, token }),
    confirmed: alreadySubscribedEmail({
      siteName,
      origin,
      unsubscribe: await newsletterUnsubscribeLinks({ secret, origin }, emailKey),
    }),
  }
  const { sql: upsertSql, params } = upsertSubscriber(db, { email, at }).toSQL()
  const [, award] = await d1.batch([
    d1.prepare(upsertSql).bind(...params),
    d1.prepare(AWARD_POINTS_SQL).bind(...callerBinds(session), emailKey, at),
    d1.prepare(LIFT_SUPPRESSION_SQL).bind(...callerBinds(session), await suppressionHash(secret, emailKey), emailKey),
    ...Object.entries(emails).map(([state, message]) =>
      enqueueRequestedEmail(
        d1,
        { to: email, email: message, key: `${message.kind}:${emailKey}`, dedupeSuffixSql: CONSENT_AT_SQL, at },
        {
          when: '(SELECT state FROM subscribers WHERE email_key = ?14) = ?15',
          values: [emailKey, state],
        },
      ),
    ),
  ])
  const [row] = (award?.results ?? []) as { points: number }[]
  return { pointsEarned: row?.points ?? 0 }
}

/** What the site signs with. */
export async function readSiteName(d1: D1Database): Promise<string> {
  return (await d1.prepare('SELECT name FROM site LIMIT 1').first<{ name: string }>())?.name ?? 'This site'
}
