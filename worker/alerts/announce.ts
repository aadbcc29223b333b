import type { Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { WAY_OUT } from '../mail/broadcast-letter'
import { WHY } from '../newsletter/way-out'
import { type AnnouncedShow, showAlertLetter } from './letters'

/**
 * The statement that tells everybody who asked of a new show, for the batch that creates the concert: a broadcast to
 * the confirmed alerts of its city and of all cities, sent by the same sender as the others. A show is told once,
 * whatever is retried or edited; an address with several alerts gets one mail. Afterwards `BROADCASTS.send({ kind:
 * 'broadcast', id: announcementId(show) })` begins it at once; without that the sweep does within five minutes.
 */
export function alertsForShow(
  db: D1Database,
  { show, siteName, origin, at }: { show: AnnouncedShow; siteName: string; origin: string; at: Millis },
): D1PreparedStatement {
  const unsubscribe = { why: WHY.alerts, page: WAY_OUT, oneClick: WAY_OUT }
  const { subject, text, html } = showAlertLetter({ siteName, origin, show, unsubscribe })
  return db
    .prepare(
      `INSERT INTO broadcasts (id, subject, markdown, text, html, audience, audience_value, audience_key, origin, state, scheduled_at, created_at)
       VALUES (?1, ?2, '', ?3, ?4, 'alerts', ?5, ?6, ?7, 'scheduled', ?8, ?8) ON CONFLICT DO NOTHING`,
    )
    .bind(announcementId(show), subject, text, html, show.city, fold(show.city), origin, at)
}

export const announcementId = ({ id }: { id: string }): string => `show:${id}`
