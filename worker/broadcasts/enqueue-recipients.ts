import type { Millis } from '../lib/clock'
import { type AudienceKind, recipientPageSql } from './audience'

/** How far the listing of a broadcast's recipients is: behind `cursor`, or over. */
export type RecipientCursor = {
  id: string
  subject: string
  audience: AudienceKind
  key: string | null
  listed: number
  cursor: string
}

/**
 * Writes a page of recipients into the outbox and moves the cursor, in one batch: neither stands alone. No recipient
 * passes through the worker, so a list of any length costs the memory of none. One that was cancelled lists nobody.
 */
export async function enqueueRecipientPage(db: D1Database, sending: RecipientCursor, now: Millis): Promise<void> {
  const { id, audience, key, subject } = sending
  const page = recipientPageSql(audience)
  const [, cursorUpdate] = await db.batch<{ cursor: string; listed: number }>([
    db
      .prepare(
        `INSERT INTO outbox (id, dedupe_key, kind, recipient, subject, text, html, broadcast_id, created_at, queued_at)
         SELECT 'mail_' || lower(hex(randomblob(15))), 'broadcast:' || ?1 || ':' || e, ?4, email, ?5, '', '', ?1, ?6, ?6
         FROM (${page}) WHERE EXISTS (SELECT 1 FROM broadcasts WHERE id = ?1 AND state = 'sending') ON CONFLICT DO NOTHING`,
      )
      .bind(id, sending.cursor, key, audience === 'alerts' ? 'show_alert' : 'broadcast', subject, now),
    db
      .prepare(
        `UPDATE broadcasts SET cursor = coalesce((SELECT max(k) FROM (${page})), cursor),
           listed_at = CASE WHEN EXISTS (SELECT 1 FROM (${page})) THEN listed_at ELSE ?4 END
         WHERE id = ?1 AND state = 'sending' RETURNING cursor, listed_at IS NOT NULL AS listed`,
      )
      .bind(id, sending.cursor, key, now),
  ])
  const [row] = cursorUpdate?.results ?? []
  sending.cursor = row?.cursor ?? sending.cursor
  // Cancelled meanwhile: nothing more is listed.
  sending.listed = row?.listed ?? 1
}
