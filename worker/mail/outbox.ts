import type { DemoMail } from '../contract/mail'
import { EMAIL_SHAPE } from '../contract/text'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/ids'

/** A mail as its reader gets it, and the name of what it is for. */
export type Letter = { kind: string; subject: string; text: string; html: string; headers?: Record<string, string> }

/**
 * The statement that puts a mail into the outbox, for the batch of the act that causes it: the act and its mail stand
 * or fall together. The same `dedupeKey` twice is one mail.
 * @throws when an address or header could smuggle in another: a bug of ours, caught before it is stored.
 */
export function posted(
  db: D1Database,
  { to, letter, dedupeKey, at }: { to: string; letter: Letter; dedupeKey: string; at: Millis },
): D1PreparedStatement {
  const { kind, subject, text, html, headers = {} } = letter
  if (!EMAIL_SHAPE.test(to)) throw new Error('A mail needs exactly one address.')
  if ([subject, ...Object.entries(headers).flat()].some((value) => /[\r\n]/.test(value)))
    throw new Error('A mail header holds a line break.')
  return db
    .prepare(
      `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, headers, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING`,
    )
    .bind(newId('mail'), dedupeKey, kind, to, subject, text, html, JSON.stringify(headers), at)
}

/** The newest mails of the outbox, sent or waiting, at most 100. For the demo's mailbox. */
export async function newestMails(db: D1Database): Promise<DemoMail[]> {
  const { results } = await db
    .prepare(
      `SELECT id, recipient AS "to", subject, text, html, coalesce(sent_at, created_at) AS at
       FROM outbox ORDER BY created_at DESC, rowid DESC LIMIT 100`,
    )
    .all<Omit<DemoMail, 'sentAt'> & { at: Millis }>()
  return results.map(({ at, ...mail }) => ({ ...mail, sentAt: new Date(at).toISOString() }))
}
