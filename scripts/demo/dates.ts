import { MEDIA } from './artist.ts'
import type { AltTexts } from './catalogue.ts'
import { insertRows } from './insert.ts'
import { redateNextChallenge } from './next-challenge.ts'
import { shows, showTimes } from './shows.ts'

const DAY = 24 * 60 * 60 * 1000

/** The shows, dated from today. */
export async function seedShows(db: D1Database, now: number, alts: AltTexts): Promise<void> {
  await insertRows(
    db,
    'concerts',
    [
      'id',
      'city',
      'venue',
      'address',
      'starts_at',
      'ends_at',
      'time_zone',
      'price_cents',
      'tickets_available',
      'is_sold_out',
      'has_vip',
      'image_url',
      'image_alt',
    ],
    shows.map((show) => {
      const { startsAt, endsAt } = showTimes(show, now)
      return [
        show.id,
        show.city,
        show.venue,
        show.address,
        startsAt,
        endsAt,
        show.timeZone ?? 'America/New_York',
        show.priceCents,
        show.tickets,
        Number(show.soldOut ?? false),
        Number(show.vip ?? false),
        `/media/${MEDIA}/${show.art}.webp`,
        alts.get(show.art) ?? '',
      ]
    }),
  )
}

/**
 * A demo that has been left for weeks gets a next show and open polls again (ruling 5). Only the demo's own rows
 * move, and only when nothing is upcoming: what somebody added or changed stays.
 */
export async function redate(db: D1Database, now: number): Promise<void> {
  const { shows: upcoming, polls: open } = (await db
    .prepare(
      'SELECT (SELECT count(*) FROM concerts WHERE ends_at > ?1) AS shows, (SELECT count(*) FROM polls WHERE ends_at > ?1 AND hidden_at IS NULL) AS polls',
    )
    .bind(now)
    .first<{ shows: number; polls: number }>()) ?? { shows: 0, polls: 0 }
  if (upcoming === 0)
    await db.batch(
      shows
        .filter((show) => 'inDays' in show.when && show.when.inDays > 0)
        .map((show) => {
          const { startsAt, endsAt } = showTimes(show, now)
          return db
            .prepare('UPDATE concerts SET starts_at = ?2, ends_at = ?3 WHERE id = ?1')
            .bind(show.id, startsAt, endsAt)
        }),
    )
  await redateNextChallenge(db, now)
  if (open === 0)
    await db.batch([
      db.prepare("UPDATE polls SET ends_at = ?1 WHERE id = 'poll-next-video'").bind(now + 6 * DAY),
      db.prepare("UPDATE polls SET ends_at = ?1 WHERE id = 'poll-encore'").bind(now + 13 * DAY),
    ])
}
