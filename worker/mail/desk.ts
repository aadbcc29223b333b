import { recorded, recordedIfChanged } from '../audit/audit'
import type { AdminMail, MailState } from '../contract/mail'
import type { Millis } from '../lib/clock'
import { maskedAddress } from '../lib/masked'
import { Refused } from '../lib/refused'

const PAGE = 50

type Row = Omit<AdminMail, 'createdAt' | 'sentAt' | 'dueAt'> & {
  createdAt: Millis
  sentAt: Millis | null
  dueAt: Millis
}
type Act = { actorId: number; at: Millis }

const unknownMail = () => new Refused('not_found', 'That mail does not exist.')

/**
 * A page of the outbox, newest first, and the cursor of the page behind it. `q` is looked for in address, subject, kind,
 * state and what the provider last said. @throws Refused `bad_input` for a cursor that we never gave.
 */
export async function mailPage(
  db: D1Database,
  { q, cursor }: { q: string | null; cursor: string | null },
): Promise<{ list: AdminMail[]; next: string | null }> {
  const [, at, id] =
    cursor === null ? [null, Number.MAX_SAFE_INTEGER, ''] : (/^(\d{1,16})\.([\w-]{1,64})$/.exec(cursor) ?? [])
  if (at === undefined || id === undefined) throw new Refused('bad_input', 'That page of the mail does not exist.')
  const { results } = await db
    .prepare(
      `SELECT id, recipient AS "to", kind, subject, state, attempts, last_error AS lastError, created_at AS createdAt,
         sent_at AS sentAt, due_at AS dueAt FROM outbox
       WHERE (created_at, id) < (?1, ?2)
         AND (?3 = '' OR instr(lower(recipient || ' ' || subject || ' ' || kind || ' ' || state || ' ' || coalesce(last_error, '')), ?3) > 0)
       ORDER BY created_at DESC, id DESC LIMIT ${PAGE + 1}`,
    )
    .bind(Number(at), id, (q ?? '').trim().toLowerCase())
    .all<Row>()
  const shown = results.slice(0, PAGE)
  const last = shown.at(-1)
  return {
    list: shown.map(({ to, createdAt, sentAt, dueAt, ...mail }) => ({
      ...mail,
      to: maskedAddress(to),
      createdAt: iso(createdAt),
      sentAt: sentAt === null ? null : iso(sentAt),
      dueAt: mail.state === 'waiting' ? iso(Math.max(dueAt, createdAt)) : null,
    })),
    next: results.length > shown.length && last ? `${last.createdAt}.${last.id}` : null,
  }
}

const iso = (at: Millis) => new Date(at).toISOString()

/** How many mails there are of each state. */
export async function mailCounts(db: D1Database): Promise<Record<MailState, number>> {
  const { results } = await db
    .prepare('SELECT state, count(*) AS n FROM outbox GROUP BY state')
    .all<{ state: MailState; n: number }>()
  return {
    waiting: 0,
    sent: 0,
    failed: 0,
    unknown: 0,
    ...Object.fromEntries(results.map(({ state, n }) => [state, n])),
  }
}

/** The address in full, and who asked for it written down. @throws Refused `not_found`. */
export async function revealMail(db: D1Database, { id, actorId, at }: Act & { id: string }): Promise<{ to: string }> {
  const row = await db.prepare('SELECT recipient AS "to" FROM outbox WHERE id = ?1').bind(id).first<{ to: string }>()
  if (!row) throw unknownMail()
  await recorded(db, { actorId, action: 'mail.revealed', subject: `mail:${id}`, at }).run()
  return row
}

const READS = "EXISTS (SELECT 1 FROM subscribers WHERE email = recipient AND state = 'confirmed')"
const IS_TOLD_OF_SHOWS = 'EXISTS (SELECT 1 FROM show_alerts WHERE entry = recipient AND confirmed_at IS NOT NULL)'
/**
 * Copies of a broadcast go again only where it was not stopped and its reader is still on the list that it went to; a
 * welcome to the list only to whoever is on it.
 */
const MAY_GO = `CASE
  WHEN broadcast_id IS NOT NULL THEN EXISTS (SELECT 1 FROM broadcasts b WHERE b.id = broadcast_id AND b.state <> 'cancelled'
    AND iif(b.audience = 'alerts', ${IS_TOLD_OF_SHOWS}, ${READS}))
  WHEN kind IN ('newsletter_welcome', 'newsletter_already') THEN ${READS}
  ELSE true END`
const AGAIN = `UPDATE outbox SET state = 'waiting', attempts = 0, due_at = 0, queued_at = NULL, claimed_at = NULL, last_error = NULL`
/** Whatever broadcast has a copy to send again is under way again. */
const REOPENED = `UPDATE broadcasts SET state = 'sending', lease_until = 0 WHERE state = 'done'
  AND id IN (SELECT broadcast_id FROM outbox WHERE state = 'waiting' AND broadcast_id IS NOT NULL) RETURNING id`

/**
 * Sends one mail again that failed or is in doubt, under its old key, so that a provider that knows the key and did
 * take it sends no second copy. Answers the broadcasts to go on with.
 * @throws Refused `not_found`; `conflict` for one that waits or was sent, and for a reader who has left.
 */
export async function resend(db: D1Database, { id, actorId, at }: Act & { id: string }): Promise<string[]> {
  const row = await db.prepare('SELECT state FROM outbox WHERE id = ?1').bind(id).first<{ state: MailState }>()
  if (!row) throw unknownMail()
  const [again, , reopened] = await db.batch<{ id: string }>([
    db.prepare(`${AGAIN} WHERE id = ?1 AND state IN ('failed', 'unknown') AND ${MAY_GO} RETURNING id`).bind(id),
    recordedIfChanged(db, { actorId, action: 'mail.resent', subject: `mail:${id}`, detail: { was: row.state }, at }),
    db.prepare(REOPENED),
  ])
  if (!again?.results.length)
    throw new Refused(
      'conflict',
      'That mail is not to be sent again: it is on its way, or its reader has left the list.',
    )
  return (reopened?.results ?? []).map((broadcast) => broadcast.id)
}

/** Sends everything that failed again, and nothing in doubt. */
export async function resendFailed(
  db: D1Database,
  { actorId, at }: Act,
): Promise<{ mails: number; broadcasts: string[] }> {
  const [again, , reopened] = await db.batch<{ id: string }>([
    db.prepare(`${AGAIN} WHERE state = 'failed' AND ${MAY_GO} RETURNING id`),
    recorded(db, { actorId, action: 'mail.resent_failed', at }),
    db.prepare(REOPENED),
  ])
  return {
    mails: again?.results.length ?? 0,
    broadcasts: (reopened?.results ?? []).map((broadcast) => broadcast.id),
  }
}
