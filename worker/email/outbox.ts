import { and, type SQL, sql } from 'drizzle-orm'
import { type Db, prepare } from '../db/client'
import { HOUR_MS, type Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { mailboxKey } from '../lib/email'
import { envelopeError } from './providers'

/** A rendered email. `kind` names its purpose, e.g. `verify`. */
export type Email = { kind: string; subject: string; text: string; html: string; headers?: Record<string, string> }

export type EnqueueOptions = {
  to: string
  email: Email
  /** An email whose key the outbox already has is not enqueued. */
  dedupeKey: string
  /** SQL whose value, when the statement runs, is appended to `dedupeKey`. */
  dedupeSuffix?: SQL
  at: Millis
  /** Enqueue only if the previous statement of the batch changed a row. */
  ifChanged?: boolean
  /** Enqueue only if this holds when the statement runs. */
  when?: SQL
}

let preparedCount = 0
/** Emails prepared in this isolate. If a request raises the number, outbox.middleware.ts drains the outbox. */
export const preparedEmailCount = (): number => preparedCount

/**
 * Statement that puts an email into the outbox, for the batch of the action that causes it. Requests drain the outbox
 * afterwards; scheduled jobs call `enqueuePendingEmails`, which sends the queue messages.
 * @throws Error for an address, subject or header with characters that could inject a header.
 */
export function enqueueEmail(db: Db | D1Database, options: EnqueueOptions): D1PreparedStatement {
  const { to, email, dedupeKey, dedupeSuffix = sql`''`, at, ifChanged, when } = options
  const { kind, subject, text, html, headers = {} } = email
  const error = envelopeError({ to, subject, headers })
  if (error) throw new Error(`Invalid email: ${error}`)
  preparedCount++
  const conditions = [ifChanged ? sql`changes() > 0` : undefined, when]
  return prepare(
    db,
    sql`INSERT INTO outbox (id, dedupe_key, recipient, recipient_key, kind, subject, text, html, headers, created_at)
      SELECT ${newId('mail')}, ${dedupeKey} || ${dedupeSuffix}, ${to}, ${mailboxKey(to)}, ${kind}, ${subject}, ${text},
        ${html}, ${JSON.stringify(headers)}, ${at}
      WHERE ${and(...conditions) ?? sql`true`} ON CONFLICT DO NOTHING`,
  )
}

/** Statement that enqueues a security notice, unless the user had one of its kind within the last hour. */
export function enqueueNotice(db: Db, userId: number, options: Omit<EnqueueOptions, 'dedupeKey'>): D1PreparedStatement {
  const { email, at } = options
  const key = `${email.kind}:${userId}`
  // Prefix search on the unique index: `;` is the next character after `:`.
  const isFirst = sql`NOT EXISTS (SELECT 1 FROM outbox earlier WHERE earlier.dedupe_key > ${`${key}:`}
    AND earlier.dedupe_key < ${`${key};`} AND earlier.created_at > ${at - HOUR_MS})`
  return enqueueEmail(db, { ...options, dedupeKey: `${key}:${at}`, when: and(isFirst, options.when)! })
}

/**
 * Statement that sets unclaimed waiting emails matching `where` to `failed`, or to `stateInDoubt` if an earlier attempt
 * may have delivered them.
 */
export function failWaitingEmails(
  db: Db | D1Database,
  where: SQL,
  lastError: string | SQL,
  stateInDoubt: 'unknown' | 'failed' = 'unknown',
): D1PreparedStatement {
  return prepare(
    db,
    sql`UPDATE outbox SET state = iif(in_doubt, ${stateInDoubt}, 'failed'), last_error = ${lastError}
      WHERE state = 'waiting' AND claimed_at IS NULL AND (${where})`,
  )
}

/** SQL condition `id IN (…)` for any number of ids, bound as one JSON array. */
export const idIn = (ids: readonly string[]): SQL => sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
