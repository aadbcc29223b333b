import { UNSUBSCRIBE_PLACEHOLDER } from '../broadcasts/emails'
import type { DemoEmail } from '../contract/email'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { alertUnsubscribeLinks, newsletterUnsubscribeLinks } from '../newsletter/unsubscribe-links'
import { unsubscribeHeaders } from './render-email'

type MailboxDeps = { db: D1Database; secret: string; origin: string }
type Row = Omit<DemoEmail, 'sentAt' | 'headers'> & { headers: string; at: Millis; audience: string | null }

/** A copy of a broadcast has the broadcast's words. */
const EMAILS_SQL = `
  SELECT o.id, recipient AS "to", o.subject, iif(b.id IS NULL, o.text, b.text) AS text,
    iif(b.id IS NULL, o.html, b.html) AS html, kind, o.state, headers, coalesce(sent_at, o.created_at) AS at, b.audience
  FROM outbox o LEFT JOIN broadcasts b ON b.id = o.broadcast_id`

/** The newest mails of the outbox, sent or waiting, at most 100. For the demo's mailbox. */
export async function newestEmails(deps: MailboxDeps): Promise<DemoEmail[]> {
  const { results } = await deps.db
    .prepare(`${EMAILS_SQL} ORDER BY o.created_at DESC, o.rowid DESC LIMIT 100`)
    .all<Row>()
  return Promise.all(results.map((row) => toDemoEmail(deps, row)))
}

/**
 * One mail as a page for a sandboxed frame; a link in it opens in the whole window. @throws AppError `not_found`.
 */
export async function emailPage(deps: MailboxDeps, id: string): Promise<string> {
  const row = await deps.db.prepare(`${EMAILS_SQL} WHERE o.id = ?1`).bind(id).first<Row>()
  if (!row) throw new AppError('not_found', 'That mail does not exist.')
  return (await toDemoEmail(deps, row)).html.replace('<head>', '<head><base target="_top">')
}

async function toDemoEmail(deps: MailboxDeps, { at, audience, headers, ...mail }: Row): Promise<DemoEmail> {
  const dated = { ...mail, sentAt: new Date(at).toISOString(), headers: JSON.parse(headers) as Record<string, string> }
  if (audience === null) return dated
  const unsubscribe = await (audience === 'alerts' ? alertUnsubscribeLinks : newsletterUnsubscribeLinks)(
    deps,
    normalizeKey(mail.to),
  )
  const personalize = (part: string) => part.replaceAll(UNSUBSCRIBE_PLACEHOLDER, unsubscribe.pageUrl)
  return {
    ...dated,
    text: personalize(mail.text),
    html: personalize(mail.html),
    headers: unsubscribeHeaders(unsubscribe),
  }
}
