import type { DemoMail } from '../contract/mail'
import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { Refused } from '../lib/refused'
import { alertWayOut, newsletterWayOut } from '../newsletter/way-out'
import { WAY_OUT } from './broadcast-letter'
import { listHeaders } from './letter'

type House = { db: D1Database; secret: string; origin: string }
type Row = Omit<DemoMail, 'sentAt' | 'headers'> & { headers: string; at: Millis; audience: string | null }

/** A copy of a broadcast has the broadcast's words. */
const MAILS = `
  SELECT o.id, recipient AS "to", o.subject, iif(b.id IS NULL, o.text, b.text) AS text,
    iif(b.id IS NULL, o.html, b.html) AS html, kind, o.state, headers, coalesce(sent_at, o.created_at) AS at, b.audience
  FROM outbox o LEFT JOIN broadcasts b ON b.id = o.broadcast_id`

/** The newest mails of the outbox, sent or waiting, at most 100. For the demo's mailbox. */
export async function newestMails(house: House): Promise<DemoMail[]> {
  const { results } = await house.db.prepare(`${MAILS} ORDER BY o.created_at DESC, o.rowid DESC LIMIT 100`).all<Row>()
  return Promise.all(results.map((row) => shown(house, row)))
}

/**
 * One mail as a page for a sandboxed frame; a link in it opens in the whole window. @throws Refused `not_found`.
 */
export async function letterPage(house: House, id: string): Promise<string> {
  const row = await house.db.prepare(`${MAILS} WHERE o.id = ?1`).bind(id).first<Row>()
  if (!row) throw new Refused('not_found', 'That mail does not exist.')
  return (await shown(house, row)).html.replace('<head>', '<head><base target="_top">')
}

async function shown(house: House, { at, audience, headers, ...mail }: Row): Promise<DemoMail> {
  const dated = { ...mail, sentAt: new Date(at).toISOString(), headers: JSON.parse(headers) as Record<string, string> }
  if (audience === null) return dated
  const unsubscribe = await (audience === 'alerts' ? alertWayOut : newsletterWayOut)(house, fold(mail.to))
  const own = (part: string) => part.replaceAll(WAY_OUT, unsubscribe.page)
  return { ...dated, text: own(mail.text), html: own(mail.html), headers: listHeaders(unsubscribe) }
}
