import { type SQL, sql } from 'drizzle-orm'
import type { DemoEmail } from '../contract/email'
import type { Deps } from '../deps'
import { unsubscribeLinks } from '../email/link-tokens'
import { unsubscribeHeaders } from '../email/render-email'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { normalizeKey } from '../lib/email'
import { withUnsubscribeUrl } from './emails'

type DemoDeps = Pick<Deps, 'db' | 'secret' | 'origin'>
type EmailRow = Omit<DemoEmail, 'sentAt' | 'headers'> & {
  headers: string
  at: Millis
  /** Of the broadcast; null for other emails. */
  audience: string | null
}

/** Emails with their text and HTML. Emails of a broadcast have those of the broadcast. */
const selectEmails = ({ db }: DemoDeps, clauses: SQL) =>
  db.all<EmailRow>(
    sql`SELECT o.id, recipient AS "to", o.subject, iif(b.id IS NULL, o.text, b.text) AS text,
        iif(b.id IS NULL, o.html, b.html) AS html, kind, o.state, headers, coalesce(sent_at, o.created_at) AS at, b.audience
      FROM outbox o LEFT JOIN broadcasts b ON b.id = o.broadcast_id ${clauses}`,
  )

/** The newest 100 emails of the outbox in any state. `sentAt` of an unsent one is when it was created. */
export async function listNewestEmails(deps: DemoDeps): Promise<DemoEmail[]> {
  const rows = await selectEmails(deps, sql`ORDER BY o.created_at DESC, o.rowid DESC LIMIT 100`)
  return Promise.all(rows.map((row) => toDemoEmail(deps, row)))
}

/** An email as a page for a sandboxed frame; links open in the top-level window. @throws AppError `not_found`. */
export async function renderEmailPage(deps: DemoDeps, id: string): Promise<string> {
  const [row] = await selectEmails(deps, sql`WHERE o.id = ${id}`)
  if (!row) throw new AppError('not_found', 'That email does not exist.')
  return (await toDemoEmail(deps, row)).html.replace('<head>', '<head><base target="_top">')
}

async function toDemoEmail(deps: DemoDeps, { at, audience, headers, ...row }: EmailRow): Promise<DemoEmail> {
  const sentAt = toIso(at)
  if (audience === null) return { ...row, sentAt, headers: JSON.parse(headers) as Record<string, string> }
  const list = audience === 'alerts' ? 'alerts' : 'newsletter'
  const links = await unsubscribeLinks(deps, list, normalizeKey(row.to))
  return { ...row, ...withUnsubscribeUrl(row, links.pageUrl), sentAt, headers: unsubscribeHeaders(links) }
}
