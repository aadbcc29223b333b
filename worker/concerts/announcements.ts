import { UNSUBSCRIBE_PLACEHOLDER } from '../broadcasts/emails'
import type { Millis } from '../lib/clock'
import { UNSUBSCRIBE_REASON } from '../newsletter/unsubscribe-links'
import { cityKey } from './city-key'
import { type AnnouncedShow, showAlertEmail } from './emails'

/**
 * The statement that tells everybody who asked of a new show, for the batch that creates the concert: a broadcast to
 * the confirmed alerts of its city and of all cities, sent by the same sender as the others. A show is told once,
 * whatever is retried or edited; an address with several alerts gets one mail. Afterwards `BROADCASTS.send({ kind:
 * 'broadcast', id: announcementId(show) })` begins it at once; without that the sweep does within five minutes.
 */
export function announceShow(
  db: D1Database,
  { show, siteName, origin, at }: { show: AnnouncedShow; siteName: string; origin: string; at: Millis },
): D1PreparedStatement {
  const unsubscribe = {
    reason: UNSUBSCRIBE_REASON.alerts,
    pageUrl: UNSUBSCRIBE_PLACEHOLDER,
    oneClickUrl: UNSUBSCRIBE_PLACEHOLDER,
  }
  const { subject, text, html } = showAlertEmail({ siteName, origin, show, unsubscribe })
  return db
    .prepare(
      `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, audience_value, audience_key, origin, state, scheduled_at, created_at)
       VALUES (?1, ?2, '', ?3, ?4, 'alerts', ?5, ?6, ?7, 'scheduled', ?8, ?8) ON CONFLICT DO NOTHING`,
    )
    .bind(announcementId(show), subject, text, html, show.city, cityKey(show.city), origin, at)
}

/** The statements by which a show that is taken off the calendar is told to nobody any more. */
export function cancelAnnouncement(db: D1Database, { id, at }: { id: string; at: Millis }): D1PreparedStatement[] {
  return [
    db
      .prepare(
        "UPDATE broadcasts SET state = 'cancelled', finished_at = ?2 WHERE id = ?1 AND state IN ('scheduled', 'sending')",
      )
      .bind(announcementId({ id }), at),
    db
      .prepare(
        `UPDATE outbox SET state = 'failed', last_error = 'The show was taken off the calendar.'
         WHERE broadcast_id = ?1 AND state = 'waiting' AND claimed_at IS NULL`,
      )
      .bind(announcementId({ id })),
  ]
}

/** The statement by which a show that is put back before anybody was told, and is still to come, is told after all. */
export function restoreAnnouncement(db: D1Database, { id, at }: { id: string; at: Millis }): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE broadcasts SET state = 'scheduled', finished_at = NULL WHERE id = ?1 AND state = 'cancelled'
       AND started_at IS NULL AND EXISTS (SELECT 1 FROM concerts WHERE concerts.id = ?2 AND starts_at > ?3)`,
    )
    .bind(announcementId({ id }), id, at)
}

export const announcementId = ({ id }: { id: string }): string => `show:${id}`
