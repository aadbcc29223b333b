import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { mailboxKey } from '../lib/email'
import { isAllowedHeader, isHeaderValue, isSingleAddress } from './validation'

/** A mail as its reader gets it, and the name of what it is for. */
export type Email = { kind: string; subject: string; text: string; html: string; headers?: Record<string, string> }

/** What a mail is that nobody tries on with: in doubt where a try of it got no answer, so that it may have arrived. */
export const FAILED_STATE = "iif(in_doubt, 'unknown', 'failed')"

/** `of` is SQL whose value, as it is when the mail is written, is told apart as well. */
type EmailToEnqueue = { to: string; email: Email; dedupeKey: string; dedupeSuffixSql?: string | undefined; at: Millis }

let preparedCount = 0
/** How many mails this isolate has prepared: it moves whenever there is something to tell the queue of. */
export const preparedEmailCount = (): number => preparedCount

/**
 * The statement that enqueues a mail: it goes into the outbox within the batch of the act that causes it, so that the
 * act and its mail stand or fall together. The same `dedupeKey` twice is one mail. After a request that called this the
 * queue is told by itself (mail.middleware.ts); work behind the answer calls `queueMail` when it is done.
 * @throws when an address or header could smuggle in another: a bug of ours, caught before it is stored.
 */
export function enqueueEmail(db: D1Database, post: EmailToEnqueue): D1PreparedStatement {
  return insertStatement(db, post, 'true', [])
}

/** The same for an act that may find nothing to do: enqueued only if the statement before it changed a row. */
export function enqueueEmailIfChanged(db: D1Database, post: EmailToEnqueue): D1PreparedStatement {
  return insertStatement(db, post, 'changes() > 0', [])
}

/** The same where `when` holds: SQL whose parameters start at ?11. */
export function enqueueEmailWhere(
  db: D1Database,
  post: EmailToEnqueue,
  { when, values }: { when: string; values: readonly (string | number)[] },
): D1PreparedStatement {
  return insertStatement(db, post, when, [...values])
}

/**
 * At most `perMailbox` mails of these kinds to one mailbox, and `inAll` to everybody (null: as many as there are), in the
 * `per` before now.
 */
export type EmailCap = { kinds: readonly string[]; perMailbox: number; total: number | null; windowMs: Millis }

/** SQL: whether one more is allowed. Its parameters: the mailbox, now, the kinds as JSON, and both limits. */
const belowCapSql = (per: Millis, [mailbox, at, kinds, perMailbox, inAll]: readonly string[]) => {
  const sentCountSql = (condition: string) =>
    `(SELECT count(*) FROM outbox WHERE ${condition} kind IN (SELECT value FROM json_each(${kinds})) AND created_at > ${at} - ${per})`
  return `${sentCountSql(`recipient_key = ${mailbox} AND`)} < ${perMailbox} AND (${inAll} IS NULL OR ${sentCountSql('')} < ${inAll})`
}

/** Whether `postedWithin` would still write to this address. */
export async function isBelowCap(
  db: D1Database,
  to: string,
  { kinds, perMailbox, total: inAll, windowMs: per }: EmailCap,
  at: Millis,
): Promise<boolean> {
  const row = await db
    .prepare(`SELECT ${belowCapSql(per, ['?1', '?2', '?3', '?4', '?5'])} AS may`)
    .bind(mailboxKey(to), at, JSON.stringify(kinds), perMailbox, inAll)
    .first<{ may: number }>()
  return row?.may === 1
}

/**
 * The same for mail that a stranger can cause by typing an address: silently nothing once a cap is reached, so that
 * nobody is bombed and nobody learns (N3). `when` is SQL that must hold as well; its parameters start at ?14.
 */
export function enqueueEmailWithinCap(
  db: D1Database,
  post: EmailToEnqueue,
  { kinds, perMailbox, total: inAll, windowMs: per }: EmailCap,
  { when = 'true', values = [] }: { when?: string; values?: readonly (string | number)[] } = {},
): D1PreparedStatement {
  const allowed = belowCapSql(per, ['?4', '?10', '?11', '?12', '?13'])
  return insertStatement(db, post, `${allowed} AND (${when})`, [JSON.stringify(kinds), perMailbox, inAll, ...values])
}

function insertStatement(
  db: D1Database,
  { to, email, dedupeKey, dedupeSuffixSql = "''", at }: EmailToEnqueue,
  when: string,
  values: (string | number | null)[],
) {
  const { kind, subject, text, html, headers = {} } = email
  if (!isSingleAddress(to)) throw new Error('A mail needs exactly one address.')
  if (!isHeaderValue(subject) || !Object.entries(headers).every(isAllowedHeader))
    throw new Error('A mail header holds what no header may.')
  preparedCount++
  return db
    .prepare(
      `INSERT INTO outbox (id, dedupe_key, recipient, recipient_key, kind, subject, text, html, headers, created_at)
       SELECT ?1, ?2 || ${dedupeSuffixSql}, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE ${when} ON CONFLICT DO NOTHING`,
    )
    .bind(
      newId('mail'),
      dedupeKey,
      to,
      mailboxKey(to),
      kind,
      subject,
      text,
      html,
      JSON.stringify(headers),
      at,
      ...values,
    )
}
