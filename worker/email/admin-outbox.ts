import { recordAudit, recordAuditIfChanged } from '../audit/audit'
import type { AdminEmail, EmailState } from '../contract/email'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { maskEmail } from '../lib/email'

const PAGE_SIZE = 50

type Row = Omit<AdminEmail, 'createdAt' | 'sentAt' | 'dueAt'> & {
  createdAt: Millis
  sentAt: Millis | null
  dueAt: Millis
}
type AdminAction = { actorId: number; at: Millis }

const emailNotFound = () => new AppError('not_found', 'That mail does not exist.')

/**
 * A page of the outbox, newest first, and the cursor of the page behind it. `q` is looked for in address, subject, kind,
 * state and what the provider last said. @throws AppError `bad_input` for a cursor that we never gave.
 */
export async function listEmails(
  db: D1Database,
  { q, cursor }: { q: string | null; cursor: string | null },
): Promise<{ list: AdminEmail[]; next: string | null }> {
  const [, at, id] =
    cursor === null ? [null, Number.MAX_SAFE_INTEGER, ''] : (/^(\d{1,16})\.([\w-]{1,64})$/.exec(cursor) ?? [])
  if (at === undefined || id === undefined) throw new AppError('bad_input', 'That page of the mail does not exist.')
  const { results } = await db
    .prepare(
      `SELECT id, recipient AS "to", kind, subject, state, attempts, last_error AS lastError, created_at AS createdAt,
         sent_at AS sentAt, due_at AS dueAt FROM outbox
       WHERE (created_at, id) < (?1, ?2)
         AND (?3 = '' OR instr(lower(recipient || ' ' || subject || ' ' || kind || ' ' || state || ' ' || coalesce(last_error, '')), ?3) > 0)
       ORDER BY created_at DESC, id DESC LIMIT ${PAGE_SIZE + 1}`,
    )
    .bind(Number(at), id, (q ?? '').trim().toLowerCase())
    .all<Row>()
  const shown = results.slice(0, PAGE_SIZE)
  const last = shown.at(-1)
  return {
    list: shown.map(({ to, createdAt, sentAt, dueAt, ...mail }) => ({
      ...mail,
      to: maskEmail(to),
      createdAt: iso(createdAt),
      sentAt: sentAt === null ? null : iso(sentAt),
      dueAt: mail.state === 'waiting' ? iso(Math.max(dueAt, createdAt)) : null,
    })),
    next: results.length > shown.length && last ? `${last.createdAt}.${last.id}` : null,
  }
}

const iso = (at: Millis) => new Date(at).toISOString()

/** How many mails there are of each state. */
export async function countEmailsByState(db: D1Database): Promise<Record<EmailState, number>> {
  const { results } = await db
    .prepare('SELECT state, count(*) AS n FROM outbox GROUP BY state')
    .all<{ state: EmailState; n: number }>()
  return {
    waiting: 0,
    sent: 0,
    failed: 0,
    unknown: 0,
    ...Object.fromEntries(results.map(({ state, n }) => [state, n])),
  }
}

/** The address in full, and who asked for it written down. @throws AppError `not_found`. */
export async function revealRecipient(
  db: D1Database,
  { id, actorId, at }: AdminAction & { id: string },
): Promise<{ to: string }> {
  const row = await db.prepare('SELECT recipient AS "to" FROM outbox WHERE id = ?1').bind(id).first<{ to: string }>()
  if (!row) throw emailNotFound()
  await recordAudit(db, { actorId, action: 'mail.revealed', subject: `mail:${id}`, at }).run()
  return row
}

const IS_SUBSCRIBED_SQL = "EXISTS (SELECT 1 FROM subscribers WHERE email = recipient AND state = 'confirmed')"
const HAS_SHOW_ALERT_SQL = 'EXISTS (SELECT 1 FROM show_alerts WHERE entry = recipient AND confirmed_at IS NOT NULL)'
/**
 * Copies of a broadcast go again only where it was not stopped and its reader is still on the list that it went to; a
 * welcome to the list only to whoever is on it.
 */
const CAN_RESEND_SQL = `CASE
  WHEN broadcast_id IS NOT NULL THEN EXISTS (SELECT 1 FROM broadcasts b WHERE b.id = broadcast_id AND b.state <> 'cancelled'
    AND iif(b.audience = 'alerts', ${HAS_SHOW_ALERT_SQL}, ${IS_SUBSCRIBED_SQL}))
  WHEN kind IN ('newsletter_welcome', 'newsletter_already') THEN ${IS_SUBSCRIBED_SQL}
  ELSE true END`
const RESET_SQL = `UPDATE outbox SET state = 'waiting', attempts = 0, due_at = 0, queued_at = NULL, claimed_at = NULL, last_error = NULL`
/** Whatever broadcast has a copy to send again is under way again. */
const REOPEN_BROADCASTS_SQL = `UPDATE broadcasts SET state = 'sending', lease_until = 0 WHERE state = 'done'
  AND id IN (SELECT broadcast_id FROM outbox WHERE state = 'waiting' AND broadcast_id IS NOT NULL) RETURNING id`

/**
 * Sends one mail again that failed or is in doubt, under its old key, so that a provider that knows the key and did
 * take it sends no second copy. Answers the broadcasts to go on with.
 * @throws AppError `not_found`; `conflict` for one that waits or was sent, and for a reader who has left.
 */
export async function resendEmail(
  db: D1Database,
  { id, actorId, at }: AdminAction & { id: string },
): Promise<string[]> {
  const row = await db.prepare('SELECT state FROM outbox WHERE id = ?1').bind(id).first<{ state: EmailState }>()
  if (!row) throw emailNotFound()
  const [resent, , reopened] = await db.batch<{ id: string }>([
    db
      .prepare(`${RESET_SQL} WHERE id = ?1 AND state IN ('failed', 'unknown') AND ${CAN_RESEND_SQL} RETURNING id`)
      .bind(id),
    recordAuditIfChanged(db, { actorId, action: 'mail.resent', subject: `mail:${id}`, detail: { was: row.state }, at }),
    db.prepare(REOPEN_BROADCASTS_SQL),
  ])
  if (!resent?.results.length)
    throw new AppError(
      'conflict',
      'That mail is not to be sent again: it is on its way, or its reader has left the list.',
    )
  return (reopened?.results ?? []).map((broadcast) => broadcast.id)
}

/** Sends everything that failed again, and nothing in doubt. */
export async function resendFailedEmails(
  db: D1Database,
  { actorId, at }: AdminAction,
): Promise<{ mails: number; broadcasts: string[] }> {
  const [resent, , reopened] = await db.batch<{ id: string }>([
    db.prepare(`${RESET_SQL} WHERE state = 'failed' AND ${CAN_RESEND_SQL} RETURNING id`),
    recordAudit(db, { actorId, action: 'mail.resent_failed', at }),
    db.prepare(REOPEN_BROADCASTS_SQL),
  ])
  return {
    mails: resent?.results.length ?? 0,
    broadcasts: (reopened?.results ?? []).map((broadcast) => broadcast.id),
  }
}
