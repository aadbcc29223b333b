import { count, eq, sql } from 'drizzle-orm'
import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import type { EmailState } from '../contract/email'
import { type Db, prepare } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { outbox } from './outbox.table'

const emailNotFoundError = () => new AppError('not_found', 'That email does not exist.')

export async function countEmailsByState(db: Db): Promise<Record<EmailState, number>> {
  const rows = await db.select({ state: outbox.state, number: count() }).from(outbox).groupBy(outbox.state)
  const counts = { waiting: 0, sent: 0, failed: 0, unknown: 0 }
  for (const { state, number } of rows) counts[state] = number
  return counts
}

/** Reads the full address and writes an audit entry. @throws AppError `not_found`. */
export async function revealRecipient(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<{ to: string }> {
  const [row] = await db.select({ to: outbox.recipient }).from(outbox).where(eq(outbox.id, id))
  if (!row) throw emailNotFoundError()
  await recordAudit(db, { actorId, action: 'mail.revealed', subject: `mail:${id}`, at }).run()
  return row
}

const IS_SUBSCRIBED = sql`EXISTS (SELECT 1 FROM subscribers WHERE email = recipient AND state = 'confirmed')`
const HAS_SHOW_ALERT = sql`EXISTS (SELECT 1 FROM show_alerts WHERE entry = recipient AND confirmed_at IS NOT NULL)`
/** List email is sent again only to recipients who are still on the list, and not for a canceled broadcast. */
const CAN_RESEND = sql`CASE
  WHEN broadcast_id IS NOT NULL THEN EXISTS (SELECT 1 FROM broadcasts b WHERE b.id = broadcast_id AND b.state <> 'cancelled'
    AND iif(b.audience = 'alerts', ${HAS_SHOW_ALERT}, ${IS_SUBSCRIBED}))
  WHEN kind IN ('newsletter_welcome', 'newsletter_already') THEN ${IS_SUBSCRIBED}
  ELSE true END`
const RESET_EMAIL = sql`UPDATE outbox SET state = 'waiting', attempts = 0, due_at = 0, queued_at = NULL, claimed_at = NULL, last_error = NULL`
/** Resumes finished broadcasts that have a waiting email again. */
const REOPEN_BROADCASTS = sql`UPDATE broadcasts SET state = 'sending', lease_until = 0 WHERE state = 'done'
  AND id IN (SELECT broadcast_id FROM outbox WHERE state = 'waiting' AND broadcast_id IS NOT NULL) RETURNING id`

/**
 * Sets a failed or unknown email to `waiting` again. Its key stays the same, so that a provider with idempotency keys
 * does not send it twice.
 * @returns ids of the broadcasts to resume.
 * @throws AppError `not_found`; `conflict` if it is waiting or sent, its broadcast was canceled, or its recipient left
 * the list.
 */
export async function resendEmail(db: Db, { id, actorId, at }: Actor & { id: string }): Promise<string[]> {
  const [row] = await db.select({ state: outbox.state }).from(outbox).where(eq(outbox.id, id))
  if (!row) throw emailNotFoundError()
  const [resent, , reopened] = await db.$client.batch<{ id: string }>([
    prepare(db, sql`${RESET_EMAIL} WHERE id = ${id} AND state IN ('failed', 'unknown') AND ${CAN_RESEND} RETURNING id`),
    recordAuditIfChanged(db, {
      actorId,
      action: 'mail.resent',
      subject: `mail:${id}`,
      detail: { was: row.state },
      at,
    }),
    prepare(db, REOPEN_BROADCASTS),
  ])
  if (!resent?.results.length)
    throw new AppError(
      'conflict',
      'That email cannot be sent again: it was sent or is on its way, its broadcast was canceled, or the recipient has unsubscribed.',
    )
  return (reopened?.results ?? []).map((broadcast) => broadcast.id)
}

/** Sends failed emails again, if `CAN_RESEND` allows. Emails in state `unknown` are only sent again one by one. */
export async function resendFailedEmails(
  db: Db,
  { actorId, at }: Actor,
): Promise<{ mails: number; broadcasts: string[] }> {
  const [resent, , reopened] = await db.$client.batch<{ id: string }>([
    prepare(db, sql`${RESET_EMAIL} WHERE state = 'failed' AND ${CAN_RESEND} RETURNING id`),
    recordAudit(db, { actorId, action: 'mail.resent_failed', at }),
    prepare(db, REOPEN_BROADCASTS),
  ])
  return {
    mails: resent?.results.length ?? 0,
    broadcasts: (reopened?.results ?? []).map((broadcast) => broadcast.id),
  }
}
